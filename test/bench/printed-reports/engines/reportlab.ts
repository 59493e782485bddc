import path from 'node:path';
import { existsSync } from 'node:fs';
import { python } from '../variants/distort.ts';
import { run, type Printer } from './engine.ts';

/** Text drawn at positions, cell by cell, as programs do that write PDF themselves. */
export const reportlabPrinter: Printer = {
  async missing() {
    return existsSync(python) ? null : 'reportlab (a Python package)';
  },
  async print(jobs) {
    const input = JSON.stringify(jobs.map(({ source, pdf }) => ({ pdf, pages: JSON.parse(source) as unknown })));
    await run(python, [path.join(import.meta.dirname, 'draw.py')], { input });
  },
};
