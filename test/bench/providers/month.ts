import path from 'node:path';
import { type TestServer } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { connectors } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { Remote } from '../remote.ts';
import { describeMachine, printLines, type Benchmark, type Line } from '../report.ts';
import type { MonthOrder } from './month-process.ts';
import type { MonthPlan, MonthResult } from './simulate-month.ts';

const usersDefault = 1000;
const usersQuick = 2;
/** Processes, each of which simulates one provider at a time. */
const processes = 2;
/** For one provider, however slow the machine; a provider that hangs must not stop the others. */
const deadlineMs = 45 * 60_000;
/** Memory of a process, so that one provider cannot use up that of the machine: it is reported as failed, and the others continue. */
const heapMiB = 3072;

function planOf(isQuick: boolean, users: number): MonthPlan {
  return isQuick
    ? { users, days: 6, pollHours: 12, syncDays: 1, cadenceHours: 3 }
    : { users, days: 30, pollHours: 24, syncDays: 3, cadenceHours: 24 };
}

const share = (found: number, expected: number): number => (expected === 0 ? 1 : found / expected);
const percent = (found: number, expected: number): string => `${(share(found, expected) * 100).toFixed(3)} % of ${expected}`;

/** All figures of a provider in one line, which is printed when its month is over. */
function lineOf({ slug, truth, flawless, duplicates, calls, struck, linkedAgain }: MonthResult, seconds: number): Line {
  const { perUserDay, minimum } = calls;
  const figures = [
    `people ${percent(truth.found, truth.expected)}`,
    `flawless reading ${percent(flawless.found, flawless.expected)}`,
    `duplicates ${duplicates}`,
    `failed calls ${struck}`,
    `linked again ${linkedAgain}`,
    `${seconds.toFixed(0)} s`,
    `calls a user and day ${perUserDay.toFixed(1)}`,
  ];
  return { what: slug, figure: figures.join(', '), against: minimum.toFixed(1), ...(minimum > 0 && { ratio: perUserDay / minimum }) };
}

function totalsOf(results: readonly MonthResult[], plan: MonthPlan): readonly Line[] {
  const sum = (of: (result: MonthResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const judged = (of: (result: MonthResult) => MonthResult['truth']) =>
    percent(
      sum((result) => of(result).found),
      sum((result) => of(result).expected),
    );
  const calls = sum((result) => result.calls.perUserDay);
  const minimum = sum((result) => result.calls.minimum);
  return [
    { what: 'all: providers, users, days', figure: `${results.length}, ${results.length * plan.users}, ${plan.days}` },
    { what: 'all: nights, workouts and days of the people', figure: judged(({ truth }) => truth), aim: '100 %' },
    { what: 'all: records of a flawless reading', figure: judged(({ flawless }) => flawless), aim: '100 %' },
    { what: 'all: duplicates', figure: String(sum(({ duplicates }) => duplicates)), aim: '0' },
    { what: 'all: calls that failed, people who linked again', figure: `${sum(({ struck }) => struck)}, ${sum((one) => one.linkedAgain)}` },
    {
      what: 'all: calls a user and day, the mean of the providers',
      figure: (calls / Math.max(1, results.length)).toFixed(1),
      against: `${(minimum / Math.max(1, results.length)).toFixed(1)}, what the interface needs`,
      ...(minimum > 0 && { ratio: calls / minimum }),
    },
  ];
}

function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not over after ${Math.round(ms / 60_000)} minutes`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

interface Months {
  readonly results: MonthResult[];
  readonly failed: Line[];
  /** When the run ends, whatever is still open, by `performance.now()`. */
  readonly endsMs: number;
}

/** Takes provider after provider, each in a helper that is replaced when one fails. */
async function workThrough(
  waiting: string[],
  plan: MonthPlan,
  server: TestServer,
  isVerbose: boolean,
  { results, failed, endsMs }: Months,
) {
  const { adminUrl, template } = server;
  // A larger young generation: most objects of a response live for the length of a page.
  const start = () =>
    new Remote(path.join(import.meta.dirname, 'month-process.ts'), [], ['--max-semi-space-size=32', `--max-old-space-size=${heapMiB}`]);
  const fail = (slug: string, reason: string) => {
    process.exitCode = 1;
    failed.push({ what: `${slug}: not simulated`, figure: reason });
    printLines(failed.slice(-1));
  };
  let helper = start();
  try {
    for (let slug = waiting.shift(); slug !== undefined; slug = waiting.shift()) {
      const startMs = performance.now();
      if (startMs >= endsMs) {
        fail(slug, 'No time was left');
        continue;
      }
      const order: MonthOrder = { slug, plan, adminUrl, template };
      try {
        const result = await withDeadline(helper.ask<MonthResult>('simulate', order), Math.min(deadlineMs, endsMs - startMs));
        results.push(result);
        printLines([lineOf(result, (performance.now() - startMs) / 1000)]);
        if (isVerbose) for (const line of result.missing) console.log(`    lacks ${line}`);
      } catch (error) {
        fail(slug, error instanceof Error ? error.message : String(error));
        await helper.close();
        helper = start();
      }
    }
  } finally {
    await helper.close();
  }
}

/** A month of many users at simulated providers that fail, in simulated time: what was stored, how often, and with how many calls. */
export const monthBenchmark: Benchmark = {
  name: 'month',
  async run({
    isQuick,
    users = isQuick ? usersQuick * connectors.length : usersDefault,
    minutes = Number.POSITIVE_INFINITY,
    only,
    isVerbose = false,
  }) {
    const server = await startTestServer();
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync off`)}`);
      const simulated = connectors.filter(({ slug }) => simulators.some((one) => one.slug === slug) && (only?.includes(slug) ?? true));
      const plan = planOf(isQuick, Math.max(1, Math.ceil(users / simulated.length)));
      // Those with the most pulls take the longest, so they begin.
      const waiting = simulated.toSorted((a, b) => b.pulls.length - a.pulls.length).map(({ slug }) => slug);
      const months: Months = { results: [], failed: [], endsMs: performance.now() + minutes * 60_000 };
      await Promise.all(Array.from({ length: processes }, () => workThrough(waiting, plan, server, isVerbose, months)));
      return [...totalsOf(months.results, plan), ...months.failed];
    } finally {
      await server.stop();
    }
  },
};
