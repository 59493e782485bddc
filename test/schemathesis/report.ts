type Counts = Readonly<Record<string, number>>;

/** The counts of one seed, from the hooks. */
export interface SeedReport {
  readonly seed: string;
  readonly isClean: boolean;
  /** Server failures that the API logged. */
  readonly failures: readonly string[];
  readonly cases: number;
  readonly statuses: Counts;
  /** Hostile requests, in addition to those of Schemathesis. */
  readonly hostile: number;
  readonly hostileStatuses: Counts;
  readonly hostileVariants: Counts;
  readonly undocumented: number;
  /** False findings by check and reason. */
  readonly explained: Counts;
  /** Findings by check. */
  readonly findings: Counts;
}

const numbersFirst = ([a]: readonly [string, number], [b]: readonly [string, number]) => a.localeCompare(b, 'en', { numeric: true });

function printCounts(title: string, counts: Counts): void {
  console.log(title);
  for (const [name, count] of Object.entries(counts).toSorted(numbersFirst)) console.log(`  ${String(count).padStart(7)}  ${name}`);
  if (Object.keys(counts).length === 0) console.log('        0');
}

function sum(counts: readonly Counts[]): Counts {
  const total: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** Prints the totals of all seeds: statuses, findings, and false findings with their reasons. */
export function printReport(reports: readonly SeedReport[]): void {
  for (const { failures } of reports) for (const failure of failures) console.log(failure);
  for (const { seed, cases, hostile, isClean } of reports)
    console.log(`seed ${seed}: ${cases} cases, ${hostile} hostile requests, ${isClean ? 'clean' : 'NOT CLEAN'}`);
  const of = <K extends keyof SeedReport>(key: K) => reports.map((report) => report[key]);
  printCounts('cases by status', sum(of('statuses')));
  printCounts('hostile requests by status', sum(of('hostileStatuses')));
  printCounts('hostile requests by kind', sum(of('hostileVariants')));
  printCounts('explained, by check and reason', sum(of('explained')));
  printCounts('findings by check', sum(of('findings')));
  const built = sum(of('explained'))['ServerError: documented 501: not built'] ?? 0;
  console.log(`documented 501: 2 operations, ${built} cases`);
  console.log(`undocumented statuses: ${of('undocumented').reduce((total, count) => total + count, 0)}`);
  console.log(`failures logged by the API: ${of('failures').flat().length}`);
}
