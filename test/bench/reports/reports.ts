import type { Benchmark, Line } from '../report.ts';
import { generateReports, type GeneratedReport } from './generate.ts';
import { compare, type Score } from './run/compare.ts';
import { openReportService } from './run/service.ts';

type Scored = Omit<GeneratedReport, 'files' | 'truth'> & { readonly score: Score; readonly ms: number };

const share = (part: number, whole: number) => (whole === 0 ? 'none' : (part / whole).toFixed(3));

/** Sums over a group of reports. Results that are not on the report count like missed rows. */
function sums(reports: readonly Scored[]) {
  const sum = (of: (report: Scored) => number) => reports.reduce((total, report) => total + of(report), 0);
  const rows = sum(({ score }) => score.rows);
  return {
    rows,
    exact: share(
      sum(({ score }) => score.exact),
      rows + sum(({ score }) => score.extra),
    ),
    loinc: share(
      sum(({ score }) => score.loinc),
      rows,
    ),
    wrongMatches: sum(({ score }) => score.wrongMatches),
    doubtful: sum(({ score }) => score.doubtful),
    wrongAsCertain: sum(({ score }) => score.wrongAsCertain),
    panels: share(
      sum(({ score }) => score.panels),
      rows,
    ),
    head: share(
      sum(({ score }) => score.head),
      sum(({ score }) => score.headFields),
    ),
    secondsPerPage: (sum(({ ms }) => ms) / 1000 / sum(({ pages }) => pages)).toFixed(2),
  };
}

function line(what: string, reports: readonly Scored[], aim?: string): Line {
  const { rows, exact, doubtful, wrongAsCertain, loinc, wrongMatches, panels, head, secondsPerPage } = sums(reports);
  const figure = `rows exact ${exact} of ${rows}, doubtful ${doubtful}, wrong as certain ${wrongAsCertain}, LOINC ${loinc} (${wrongMatches} wrong without review), panel ${panels}, head ${head}, ${secondsPerPage} s/page`;
  return { what: `${what}, ${reports.length} reports`, figure, ...(aim && { aim }) };
}

/** Generated lab reports through the API and the report parser: shares of correctly read fields, and time. */
export const reportsBenchmark: Benchmark = {
  name: 'reports',
  async run({ isQuick, seed = 1, isVerbose = false }) {
    await using service = await openReportService('bench_reports');
    const made: (Omit<GeneratedReport, 'files'> & { readonly job: string })[] = [];
    const plan = { seed, texts: isQuick ? 1 : 4, ...(isQuick && { forms: ['text', 'scan-200'] }) };
    for await (const { files, ...report } of generateReports(plan)) made.push({ ...report, job: await service.upload(files) });
    const parsed = await service.parse(made.map(({ job }) => job));
    const scored: Scored[] = made.map(({ truth, job, ...report }) => {
      const { data = null, failure = null, ms = 0 } = parsed.get(job) ?? {};
      const score = compare(truth, data);
      if (isVerbose && failure) console.log(`  ${report.name}: ${failure}`);
      if (isVerbose) for (const fault of score.faults) console.log(`  ${report.name}: ${fault}`);
      return { ...report, score, ms };
    });
    const texts = scored.filter(({ form }) => form === 'text');
    const scans = scored.filter(({ form }) => form !== 'text');
    const named = (key: 'layout' | 'form', of: readonly Scored[]) => [...Map.groupBy(of, (report) => report[key])];
    return [
      line('text', texts, 'rows 0.99, LOINC 0.95'),
      line('scans', scans, 'rows 0.93, LOINC 0.95'),
      ...named('form', scans).map(([form, reports]) => line(form, reports)),
      ...named('layout', texts).map(([layout, reports]) => line(`${layout}, text`, reports)),
      ...named('layout', scans).map(([layout, reports]) => line(`${layout}, scans`, reports)),
    ];
  },
};
