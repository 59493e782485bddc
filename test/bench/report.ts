import os from 'node:os';

/** One line of a benchmark's result: a figure, its reference, and their ratio. */
export interface Line {
  readonly what: string;
  readonly figure: string;
  readonly against?: string;
  readonly ratio?: number;
  readonly aim?: string;
}

/** A benchmark that prints what it measured. Bounded in time, and cleans up after itself. */
export interface Benchmark {
  readonly name: string;
  /** Name under which several are run together. */
  readonly group?: string;
  run(options: BenchOptions): Promise<readonly Line[]>;
}

export interface BenchOptions {
  /** Shorter runs, for a quick check and not for the record. */
  readonly isQuick: boolean;
  /** Length of each phase of a benchmark that takes minutes. */
  readonly minutes?: number;
  /** Seed of the reports, for a benchmark that generates them. */
  readonly seed?: number;
  /** A folder of reports that are printed already, for a benchmark that prints them. */
  readonly from?: string;
  /** How many simulated users, for a benchmark of users. */
  readonly users?: number;
  /** Slugs of the providers to simulate. Default: all. */
  readonly only?: readonly string[];
  /** Print each mistake that was found. */
  readonly isVerbose?: boolean;
  /** An external receiver that does its own counting (requirements: README.md). */
  readonly sink?: string;
}

/** The machine in one line, because figures are meaningless without it. */
export function describeMachine(postgres: string): string {
  const cpu = os.cpus()[0]?.model ?? 'unknown processor';
  return `${os.cpus().length} cores (${cpu.trim()}), ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${postgres}`;
}

export function printLines(lines: readonly Line[]): void {
  for (const line of lines) {
    const against = line.against ? `  against ${line.against}` : '';
    const ratio = line.ratio === undefined ? '' : `  ratio ${line.ratio.toFixed(2)}`;
    const aim = line.aim ? `  (aim ${line.aim})` : '';
    console.log(`  ${line.what}: ${line.figure}${against}${ratio}${aim}`);
  }
}

export function perSecond(count: number, ms: number): string {
  return `${Math.round((count / ms) * 1000).toLocaleString('en-US')}/s`;
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
