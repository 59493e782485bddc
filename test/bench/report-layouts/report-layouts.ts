import { openBrowser } from '../../integration/console/browser.ts';
import type { ParsedReportData } from '@pulsewire/contract';
import type { Benchmark, Line } from '../report.ts';
import { Random } from '../reports/model/random.ts';
import { judgeRows, type Judgement } from '../reports/run/judge-rows.ts';
import { openReportService } from '../reports/run/service.ts';
import { americanTables } from './american-tables.ts';
import { drawReport, type DrawnRow } from './draw.ts';
import { foreignTables } from './foreign-tables.ts';
import type { Layout } from './layout.ts';
import { otherLayouts } from './other-layouts.ts';
import { printHtml, type Form } from './print.ts';

export const layouts: readonly Layout[] = [...americanTables, ...foreignTables, ...otherLayouts];

interface Printed {
  readonly layout: Layout;
  readonly form: Form;
  readonly rows: readonly DrawnRow[];
  readonly job: string;
}
type Scored = Printed & { readonly judged: Judgement; readonly failure: string | null; readonly ms: number };

function line(what: string, reports: readonly Scored[], aim?: string): Line {
  const sum = (of: (report: Scored) => number) => reports.reduce((total, report) => total + of(report), 0);
  const rows = sum((report) => report.rows.length);
  const counts = (['doubtful', 'wrong', 'missed', 'invented'] as const).map(
    (kind) => `${kind} ${sum(({ judged }) => judged[kind].length)}`,
  );
  const codes = sum(({ judged }) => judged.wrong.filter((fault) => /: (?:.*, )?code$/.test(fault)).length);
  const refused = reports.filter(({ failure }) => failure !== null).length;
  const exact = (sum(({ judged }) => judged.exact.length) / Math.max(1, rows)).toFixed(3);
  const figure = `exact ${exact} of ${rows} rows, ${counts.join(', ')}, wrong codes ${codes}, refused ${refused}, ${(sum(({ ms }) => ms) / 1000 / reports.length).toFixed(2)} s a page`;
  return { what: `${what}, ${reports.length} reports`, figure, ...(aim && { aim }) };
}

/** Reports in layouts that share no code with the parser's own generator, printed and photographed by a browser. */
export const reportLayoutsBenchmark: Benchmark = {
  name: 'report-layouts',
  async run({ isQuick, seed = 1, isVerbose = false }) {
    await using service = await openReportService('bench_report_layouts');
    const browser = await openBrowser();
    const printed: Printed[] = [];
    try {
      const forms: readonly Form[] = isQuick ? ['text'] : ['text', 'text', 'text', 'scan', 'photo'];
      for (const layout of layouts) {
        for (const [copy, form] of forms.entries()) {
          const random = new Random(seed).fork(`${layout.name} ${form} ${copy}`);
          const report = drawReport(layout.country, random, layout.panels);
          const rows = report.panels.flatMap((panel) => panel.rows).map((row) => layout.printed?.(row) ?? row);
          const file = Buffer.from(await printHtml(browser, layout.print(report), form, random));
          printed.push({ layout, form, rows, job: await service.upload([file]) });
        }
      }
    } finally {
      await browser.close();
    }
    const parsed = await service.parse(printed.map(({ job }) => job));
    const scored = printed.map((report): Scored => {
      const { data = null, failure = null, ms = 0 } = parsed.get(report.job) ?? {};
      const judged = judgeRows(report.rows, (data as ParsedReportData | null)?.results ?? []);
      const faults = [
        ...judged.wrong,
        ...judged.missed.map((name) => `missed ${name}`),
        ...judged.invented.map((name) => `invented ${name}`),
      ];
      if (isVerbose)
        for (const fault of [...(failure ? [failure] : []), ...faults]) console.log(`  ${report.layout.name} ${report.form}: ${fault}`);
      return { ...report, judged, failure, ms };
    });
    const of = (isOf: (report: Scored) => boolean) => scored.filter(isOf);
    const groups = [
      line(
        'text in tables',
        of(({ form, layout }) => form === 'text' && layout.kind === 'table'),
        'exact 0.99, wrong 0',
      ),
      line(
        'other text',
        of(({ form, layout }) => form === 'text' && layout.kind === 'other'),
        'exact 0.97, wrong 0',
      ),
      ...(isQuick
        ? []
        : [
            line(
              'scans',
              of(({ form }) => form === 'scan'),
              'exact 0.95, wrong 0',
            ),
            line(
              'photos',
              of(({ form }) => form === 'photo'),
              'exact 0.90 or refused, wrong 0',
            ),
          ]),
    ];
    return [
      ...groups,
      ...layouts.flatMap(({ name }) => [
        line(
          `${name}, text`,
          of(({ layout, form }) => layout.name === name && form === 'text'),
        ),
      ]),
    ];
  },
};
