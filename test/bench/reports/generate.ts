import { forms, type Form } from './forms/forms.ts';
import { layouts } from './layouts/all.ts';
import { drawReport } from './model/draw-report.ts';
import { Random } from './model/random.ts';
import type { Truth } from './model/truth.ts';

/** One report to upload. */
export interface GeneratedReport {
  readonly name: string;
  readonly layout: string;
  readonly form: Form['name'];
  readonly files: readonly Buffer[];
  readonly pages: number;
  readonly truth: Truth;
}

export interface Plan {
  readonly seed: number;
  /** Number of reports per layout as text; the other forms have one each. */
  readonly texts: number;
  readonly layouts?: readonly string[];
  readonly forms?: readonly string[];
}

/** Reports with known contents, one at a time; the same for a seed, whichever layouts and forms are omitted. */
export async function* generateReports({ seed, texts, ...only }: Plan): AsyncGenerator<GeneratedReport> {
  for (const layout of layouts) {
    if (only.layouts && !only.layouts.includes(layout.name)) continue;
    for (const form of forms) {
      if (only.forms && !only.forms.includes(form.name)) continue;
      for (let copy = 1; copy <= (form.name === 'text' ? texts : 1); copy++) {
        const name = `${layout.name} ${form.name} ${copy}`;
        const random = new Random(seed).fork(name);
        const report = drawReport(layout.panels(random), layout.style(random), random);
        const { pdf, pages } = await layout.print(report, random).end();
        yield { name, layout: layout.name, form: form.name, files: await form.make(pdf, random), pages, truth: report.truth };
      }
    }
  }
}
