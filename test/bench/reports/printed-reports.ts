import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ParsedReportData } from '@pulsewire/contract';
import type { Benchmark, Line } from '../report.ts';
import { judgeRows, type Judgement, type PrintedRow } from './run/judge-rows.ts';
import { openReportService, type Parsed } from './run/service.ts';

/** What the generator writes beside a report; its own file says more. */
interface Truth {
  readonly layout: string;
  readonly variant: 'text' | 'scan' | 'photo';
  readonly files: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    readonly value: string;
    readonly unit: string | null;
    readonly range: { readonly low: number | null; readonly high: number | null };
    readonly interpretation: string | null;
    readonly loinc: string | null;
    readonly loincAlso: readonly string[];
  }[];
}

interface Printed extends Omit<Truth, 'rows'> {
  readonly name: string;
  readonly rows: readonly PrintedRow[];
  readonly job: string;
}
type Scored = Printed & {
  readonly judged: Judgement;
  readonly failure: string | null;
  readonly ms: number;
  readonly codes: number;
};

/** A team may have a hundred reports that wait. */
const reportsAtOnce = 50;

/** Layouts whose results stand in lines of text, cards or letters. */
const otherLayouts = new Set([
  'us-consumer-dashboard',
  'us-inline-note',
  'us-result-paragraphs',
  'us-scale-report',
  'uk-consultant-letter',
  'uk-home-kit',
  'uk-patient-app',
  'in-booking-app',
]);
const classes = [
  ['text in tables', 'exact 0.99, wrong 0', ({ variant, layout }: Printed) => variant === 'text' && !otherLayouts.has(layout)],
  ['other text', 'exact 0.97, wrong 0', ({ variant, layout }: Printed) => variant === 'text' && otherLayouts.has(layout)],
  ['scans', 'exact 0.95, wrong 0', ({ variant }: Printed) => variant === 'scan'],
  ['photos', 'exact 0.90 or refused, wrong 0', ({ variant }: Printed) => variant === 'photo'],
] as const;

const toRow = ({ name, value, unit, range, interpretation, loinc, loincAlso }: Truth['rows'][number]): Printed['rows'][number] => ({
  test_name: name,
  value,
  units: unit,
  min_reference_range: range.low,
  max_reference_range: range.high,
  ...(interpretation !== null && { interpretation }),
  // Without any code, the print does not decide it.
  ...((loinc !== null || loincAlso.length > 0) && { loinc: [...(loinc === null ? [] : [loinc]), ...loincAlso] }),
});

/** Rows with a code whose first match is one of the right ones. */
function rightCodes(rows: Printed['rows'], results: ParsedReportData['results']): number {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return rows.filter(({ test_name: name, loinc }) => {
    const result = results.find(({ test_name: read }) => same(read, name));
    return loinc !== undefined && [loinc].flat().includes(result?.loinc_matches?.[0]?.loinc_code ?? '');
  }).length;
}

function line(what: string, reports: readonly Scored[], aim?: string): Line {
  const sum = (of: (report: Scored) => number) => reports.reduce((total, report) => total + of(report), 0);
  const refused = reports.filter(({ failure }) => failure !== null);
  const rows = sum((report) => report.rows.length);
  const read = reports.filter(({ failure }) => failure === null);
  const counts = (['doubtful', 'wrong', 'missed', 'invented'] as const).map(
    (kind) => `${kind} ${read.reduce((total, { judged }) => total + judged[kind].length, 0)}`,
  );
  const coded = sum((report) => report.rows.filter(({ loinc }) => loinc !== undefined).length);
  const exact = (sum(({ judged }) => judged.exact.length) / Math.max(1, rows)).toFixed(3);
  const loinc = (sum(({ codes }) => codes) / Math.max(1, coded)).toFixed(3);
  const seconds = (
    sum(({ ms }) => ms) /
    1000 /
    Math.max(
      1,
      sum(({ files }) => files.length),
    )
  ).toFixed(2);
  const figure = `exact ${exact} of ${rows} rows, ${counts.join(', ')}, LOINC ${loinc}, refused ${refused.length}, ${seconds} s a file`;
  return { what: `${what}, ${reports.length} reports`, figure, ...(aim && { aim }) };
}

/** Reports of laboratories as printed by a generator that shares no code with the parser: `../printed-reports`, or a folder of its output. */
export const printedReportsBenchmark: Benchmark = {
  name: 'printed-reports',
  async run({ isQuick, seed = 1, from, only, isVerbose = false }) {
    const folder = from ?? (await mkdtemp(join(tmpdir(), 'printed-reports-')));
    try {
      if (from === undefined) await print(folder, seed, isQuick ? 'text' : 'text,scan,photo', only);
      await using service = await openReportService('bench_printed_reports');
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
      const printed: Printed[] = [];
      const parsed = new Map<string, Parsed>();
      for (let start = 0; start < names.length; start += reportsAtOnce) {
        const jobs: string[] = [];
        for (const file of names.slice(start, start + reportsAtOnce)) {
          const { rows, ...truth } = JSON.parse(await readFile(join(folder, file), 'utf8')) as Truth;
          if ((isQuick && truth.variant !== 'text') || (only && !only.some((part) => file.includes(part)))) continue;
          const files = await Promise.all(truth.files.map((name) => readFile(join(folder, name))));
          const job = await service.upload(files);
          jobs.push(job);
          printed.push({ ...truth, name: file.replace('.json', ''), rows: rows.map(toRow), job });
        }
        for (const [job, result] of await service.parse(jobs)) parsed.set(job, result);
      }
      const scored = printed.map((report): Scored => {
        const { data = null, failure = null, ms = 0 } = parsed.get(report.job) ?? {};
        const results = (data as ParsedReportData | null)?.results ?? [];
        const judged = judgeRows(report.rows, results);
        if (failure !== null) console.log(`  ${report.name}: refused, ${failure}`);
        for (const fault of failure === null ? judged.wrong : []) console.log(`  ${report.name}: wrong as certain, ${fault}`);
        for (const fault of judged.invented) console.log(`  ${report.name}: invented ${fault}`);
        if (isVerbose && failure === null) for (const fault of judged.missed) console.log(`  ${report.name}: missed ${fault}`);
        return { ...report, judged, failure, ms, codes: rightCodes(report.rows, results) };
      });
      const groups = classes
        .map(([what, aim, isIn]) => [what, aim, scored.filter(isIn)] as const)
        .filter(([, , reports]) => reports.length > 0);
      return [
        ...groups.map(([what, aim, reports]) => line(what, reports, aim)),
        ...[...Map.groupBy(scored, ({ layout, variant }) => `${layout}, ${variant}`)].map(([what, reports]) => line(what, reports)),
      ];
    } finally {
      if (from === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
};

const program = new URL('../printed-reports/print.ts', import.meta.url).pathname;

/** Prints a report of each layout in each variant into a folder. */
async function print(folder: string, seed: number, variants: string, only: readonly string[] | undefined): Promise<void> {
  const layouts = only ? ['--layouts', only.join(',')] : [];
  await promisify(execFile)(process.execPath, [program, '--out', folder, '--seed', String(seed), '--variants', variants, ...layouts]);
}
