import { readFile } from 'node:fs/promises';
import { parseIsolated } from '@pulsewire/report-parser';
import { peakMiB } from '../peak-memory.ts';
import { describeMachine, type Benchmark } from '../report.ts';
import { degrade } from './forms/degrade.ts';
import { pdfOf, toJpeg } from './forms/forms.ts';
import { renderPages } from './forms/render.ts';
import { layouts } from './layouts/all.ts';
import { drawReport } from './model/draw-report.ts';
import { Random } from './model/random.ts';

const damage = { degrees: 0.5, grain: 5, dust: 0.0002, paper: 235, blurred: true };
const samplingMs = 200;

/** A scan of this many pages as one PDF, small enough to be uploaded (10 MiB). Its pages are taken from every layout in turn. */
async function longScan(pagesMax: number, seed: number): Promise<Buffer> {
  const pictures: Buffer[] = [];
  for (let copy = 1; pictures.length < pagesMax; copy++) {
    for (const layout of layouts) {
      const random = new Random(seed).fork(`${layout.name} long ${copy}`);
      const { pdf } = await layout.print(drawReport(layout.panels(random), layout.style(random), random), random).end();
      for (const page of await renderPages(pdf, 200)) pictures.push(toJpeg(degrade(page, damage, random), 60));
    }
  }
  return pdfOf(pictures.slice(0, pagesMax));
}

/** Highest resident memory, in MiB, of any process that this one started while `work` ran. */
async function withPeakOfChildren<T>(work: Promise<T>): Promise<readonly [result: T, mib: number]> {
  let [peak, isOver] = [0, false];
  const over = () => (isOver = true);
  work.then(over, over);
  while (!isOver) {
    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ')) peak = Math.max(peak, (await peakMiB(Number(pid))) || 0);
    await Promise.race([work.catch(() => {}), new Promise((resolve) => setTimeout(resolve, samplingMs))]);
  }
  return [await work, peak];
}

/** The longest report that may be uploaded, all of it scanned, with the parser's default limits. */
export const longReportBenchmark: Benchmark = {
  name: 'long-report',
  async run({ isQuick, seed = 1 }) {
    console.log(`  ${describeMachine('no Postgres')}`);
    const pages = isQuick ? 4 : 30;
    const file = await longScan(pages, seed);
    const startMs = performance.now();
    const [outcome, mib] = await withPeakOfChildren(parseIsolated([file]));
    const seconds = (performance.now() - startMs) / 1000;
    const read = outcome.kind === 'read' ? `${outcome.report.results.length} results` : outcome.detail;
    return [
      {
        what: `${pages} scanned pages, ${(file.length / 2 ** 20).toFixed(1)} MiB: ${read}`,
        figure: `${seconds.toFixed(0)} s, ${(seconds / pages).toFixed(1)} s/page`,
        aim: `${60 + 20 * pages} s`,
      },
      { what: 'peak memory of the process that parses', figure: `${mib} MiB`, aim: '1024 MiB' },
    ];
  },
};
