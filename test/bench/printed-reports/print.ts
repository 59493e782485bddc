import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { printers } from './engines/all.ts';
import { layouts } from './layouts/all.ts';
import { Report } from './report/report.ts';
import type { Truth, Variant } from './report/truth.ts';
import { distort, type DistortJob } from './variants/distort.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
    layouts: { type: 'string' },
    variants: { type: 'string', default: 'text' },
    list: { type: 'boolean', default: false },
    source: { type: 'boolean', default: false },
  },
});

if (values.list) {
  for (const { id, engine, about } of layouts) console.log(`${id}\t${engine}\t${about}`);
} else if (values.out === undefined) {
  throw new Error('Name the folder of the reports: --out FOLDER.');
} else {
  await printAll(values.out);
}

async function printAll(out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  const wanted = values.layouts?.split(',');
  const variants = values.variants.split(',') as Variant[];
  const chosen = layouts.filter(({ id }) => wanted === undefined || wanted.some((start) => id.startsWith(start)));
  const distortions: DistortJob[] = [];
  const temporary: string[] = [];
  for (const [engine, printer] of Object.entries(printers)) {
    const mine = chosen.filter((layout) => layout.engine === engine);
    if (mine.length === 0) continue;
    const missing = await printer.missing();
    if (missing !== null) {
      console.error(`Skipped ${mine.length} layouts of ${engine}: install ${missing}, or run setup.sh.`);
      continue;
    }
    const jobs = [];
    for (const layout of mine) {
      for (const variant of variants) {
        const name = `${layout.id}-${values.seed}-${variant}`;
        // Each variant is a report of its own: other patients, other numbers.
        const report = new Report(layout.country, name, layout.style);
        const source = layout.print(report);
        const pdf = path.join(out, variant === 'text' ? `${name}.pdf` : `${name}.printed.pdf`);
        jobs.push({ source, pdf });
        if (values.source) await writeFile(path.join(out, `${name}.source`), source);
        const truth: Truth = {
          layout: layout.id,
          country: layout.country,
          engine: layout.engine,
          variant,
          seed: values.seed,
          files: [`${name}.pdf`],
          ...report.truth(),
        };
        await writeFile(path.join(out, `${name}.json`), `${JSON.stringify(truth, null, 1)}\n`);
        if (variant !== 'text') {
          temporary.push(pdf);
          distortions.push({ pdf, kind: variant, seed: name, base: path.join(out, name) });
        }
      }
    }
    await printer.print(jobs);
    console.error(`${engine}: ${jobs.length} reports`);
  }
  for (const { base, files } of await distort(distortions)) {
    const file = `${base}.json`;
    const truth = JSON.parse(await readFile(file, 'utf8')) as Truth;
    await writeFile(file, `${JSON.stringify({ ...truth, files }, null, 1)}\n`);
  }
  for (const file of temporary) await rm(file, { force: true });
}
