import type { Benchmark, Line } from '../report.ts';
import { readCounters, topStatements } from './harness/counters.ts';
import { arrived, measureMaximum, perTransaction } from './harness/measures.ts';
import { onStage } from './harness/on-stage.ts';
import type { PublishOptions } from './harness/publisher.ts';
import type { Stage } from './harness/stage.ts';

/** Statements and WAL for each delivered event of 1 KB, everything included: log append, positions, outcomes, housekeeping. */
export const costBenchmark: Benchmark = {
  name: 'delivery-cost',
  group: 'delivery',
  run: (options) =>
    onStage(options, async (stage) => {
      const teamIds = (await stage.addTeams(10)).map(({ teamId }) => teamId);
      const seconds = options.isQuick ? 4 : 20;
      await stage.start(teamIds);
      const maximum = await measureMaximum(stage, teamIds, seconds);
      const half = Math.round(maximum / 2);
      return [
        ...(await measure(stage, `${perTransaction} events a transaction at half of the maximum, ${half}/s`, {
          teamIds,
          perTransaction,
          perSecond: half,
          total: half * seconds,
        })),
        ...(await measure(stage, 'one event a transaction at 200/s', { teamIds, perTransaction: 1, perSecond: 200, total: 200 * seconds })),
        ...(await measure(stage, '500 events a transaction, as fast as it goes', {
          teamIds,
          perTransaction: 500,
          usersApart: true,
          total: half * seconds,
        })),
      ];
    }),
};

async function measure(stage: Stage, what: string, load: Omit<PublishOptions, 'base'>): Promise<readonly Line[]> {
  await stage.reset();
  const before = await readCounters(stage.database);
  const { count } = await stage.publisher.publish(load);
  await arrived(stage, count, 120_000);
  await stage.caughtUp(60_000);
  const after = await readCounters(stage.database);
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
