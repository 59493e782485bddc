import type { PanelName } from '../facts/panels.ts';
import type { Report } from '../model/draw-report.ts';
import type { Random } from '../model/random.ts';
import type { Style } from '../model/style.ts';
import type { Sheet } from './sheet.ts';

/** How a kind of laboratory arranges its reports. */
export interface Layout {
  readonly name: string;
  readonly style: (random: Random) => Style;
  readonly panels: (random: Random) => readonly PanelName[];
  readonly print: (report: Report, random: Random) => Sheet;
}
