import type { Benchmark, Line } from '../report.ts';
import { readCounters, topStatements } from './harness/counters.ts';
import { arrived, measureMaximum, perTransaction } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';
import type { PublishOptions } from './harness/publisher.ts';
import type { Harness } from './harness/harness.ts';

/** Statements and WAL per delivered event of 1 KB, everything included: log append, positions, outcomes, housekeeping. */
export const costBenchmark: Benchmark = {
  name: 'delivery-cost',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const teamIds = (await harness.addTeams(10)).map(({ teamId }) => teamId);
      const seconds = options.isQuick ? 4 : 20;
      await harness.start(teamIds);
      const maximum = await measureMaximum(harness, teamIds, seconds);
      const half = Math.round(maximum / 2);
      return [
        ...(await measure(harness, `${perTransaction} events a transaction at half of the maximum, ${half}/s`, {
          teamIds,
          perTransaction,
          perSecond: half,
          total: half * seconds,
        })),
        ...(await measure(harness, 'one event a transaction at 200/s', {
          teamIds,
          perTransaction: 1,
          perSecond: 200,
          total: 200 * seconds,
        })),
        ...(await measure(harness, '500 events a transaction, as fast as it goes', {
          teamIds,
          perTransaction: 500,
          usersApart: true,
          total: half * seconds,
        })),
      ];
    }),
};

async function measure(harness: Harness, what: string, load: Omit<PublishOptions, 'base'>): Promise<readonly Line[]> {
  await harness.reset();
  const before = await readCounters(harness.database);
  const { count } = await harness.publisher.publish(load);
  await arrived(harness, count, 120_000);
  await harness.caughtUp(60_000);
  const after = await readCounters(harness.database);
  const statements = (after.statements - before.statements) / count;
  const bytes = (after.walBytes - before.walBytes) / count;
  console.log(`  ${what}: statements an event, the most frequent:`);
  for (const line of topStatements(before, after, count, 8)) console.log(`    ${line}`);
  const isAimed = load.perTransaction > 1;
  return [
    { what: `statements a delivered event, ${what}`, figure: statements.toFixed(2), ...(isAimed && { aim: '< 1.5' }) },
    { what: `WAL a delivered event, ${what}`, figure: `${Math.round(bytes)} B`, ...(isAimed && { aim: '<= 2,048 B' }) },
  ];
}
