import type { Report } from '../report/report.ts';
import type { Style } from '../report/style.ts';
import type { Country, Engine } from '../report/truth.ts';

/** One kind of printed report: how its laboratory writes results, and the source of its pages for the engine that prints it. */
export interface Layout {
  id: string;
  country: Country;
  engine: Engine;
  about: string;
  style: Partial<Style>;
  print(report: Report): string;
}
