import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase, startTestServer } from '@pulsewire/database/testing';
import { connectors, type Connector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { describeMachine, type Benchmark, type Line } from '../report.ts';
import { simulateMonth, type MonthPlan, type MonthResult } from './simulate-month.ts';

const usersDefault = 1000;
const usersQuick = 2;
/** Databases, each with one provider, that are worked on at the same time. */
const atOnce = 2;

function planOf(isQuick: boolean, users: number): MonthPlan {
  return isQuick ? { users, days: 6, pollsPerDay: 2, cadenceHours: 3 } : { users, days: 30, pollsPerDay: 4, cadenceHours: 24 };
}

async function withDatabase<T>(
  server: Awaited<ReturnType<typeof startTestServer>>,
  name: string,
  work: (database: Database) => Promise<T>,
) {
  const database = openDatabase({ url: await createDatabase(server.adminUrl, name, server.template), connectionsMax: 6 });
  try {
    return await work(database);
  } finally {
    await database.close();
    await dropDatabase(server.adminUrl, name);
  }
}

const share = (found: number, expected: number): number => (expected === 0 ? 1 : found / expected);
const percent = (found: number, expected: number): string => `${(share(found, expected) * 100).toFixed(3)} % of ${expected}`;

function linesOf({ slug, truth, flawless, duplicates, calls, struck }: MonthResult): readonly Line[] {
  const { perUserDay, minimum } = calls;
  return [
    { what: `${slug}: nights, workouts and days of the people`, figure: percent(truth.found, truth.expected), aim: '100 %' },
    { what: `${slug}: records of a flawless reading`, figure: percent(flawless.found, flawless.expected), aim: '100 %' },
    { what: `${slug}: duplicates`, figure: String(duplicates), aim: '0' },
    {
      what: `${slug}: calls a user and day`,
      figure: perUserDay.toFixed(1),
      against: `${minimum.toFixed(1)}, one of each pull a sync`,
      ...(minimum > 0 && { ratio: perUserDay / minimum }),
    },
    { what: `${slug}: calls that failed`, figure: String(struck) },
  ];
}

function totalsOf(results: readonly MonthResult[]): readonly Line[] {
  const sum = (of: (result: MonthResult) => number) => results.reduce((total, result) => total + of(result), 0);
  return [
    {
      what: 'all: nights, workouts and days of the people',
      figure: percent(
        sum(({ truth }) => truth.found),
        sum(({ truth }) => truth.expected),
      ),
      aim: '100 %',
    },
    {
      what: 'all: records of a flawless reading',
      figure: percent(
        sum(({ flawless }) => flawless.found),
        sum(({ flawless }) => flawless.expected),
      ),
      aim: '100 %',
    },
    { what: 'all: duplicates', figure: String(sum(({ duplicates }) => duplicates)), aim: '0' },
    { what: 'all: calls that failed', figure: String(sum(({ struck }) => struck)) },
  ];
}

/** A month of many users at simulated providers that fail, in simulated time: what was stored, how often, and with how many calls. */
export const monthBenchmark: Benchmark = {
  name: 'month',
  async run({ isQuick, users = isQuick ? usersQuick * connectors.length : usersDefault, only, isVerbose = false }) {
    const startMs = performance.now();
    const server = await startTestServer();
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync off`)}`);
      const waiting = connectors.flatMap((connector) => {
        const entry = simulators.find(({ slug }) => slug === connector.slug);
        return entry && (only?.includes(connector.slug) ?? true) ? [{ connector, entry }] : [];
      });
      const plan = planOf(isQuick, Math.max(1, Math.round(users / waiting.length)));
      const results: MonthResult[] = [];
      const failed: Line[] = [];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const { connector, entry } = next;
          try {
            const result = await withDatabase(server, `bench_month_${connector.slug}`, (database) =>
              simulateMonth(database, connector, entry, plan),
            );
            results.push(result);
            console.log(`  ${connector.slug} done after ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
            if (isVerbose) for (const line of result.missing) console.log(`  ${connector.slug} lacks ${line}`);
          } catch (error) {
            failed.push(failureOf(connector, error));
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      results.sort((a, b) => a.slug.localeCompare(b.slug));
      const head = { what: 'users of each provider, days', figure: `${plan.users}, ${plan.days}` };
      return [head, ...results.flatMap(linesOf), ...totalsOf(results), ...failed];
    } finally {
      await server.stop();
    }
  },
};

function failureOf({ slug }: Connector, error: unknown): Line {
  process.exitCode = 1;
  return { what: `${slug}: not simulated`, figure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
