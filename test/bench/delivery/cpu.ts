import type { Benchmark, Line } from '../report.ts';
import { arrived, measureMaximum, perSecond, perTransaction } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';
import type { Harness } from './harness/harness.ts';
import { cpuMs, postgresCpuMs } from './harness/usage.ts';

/** Total CPU time per delivered event: the dispatcher, the process that writes the events, and Postgres. */
export const cpuBenchmark: Benchmark = {
  name: 'delivery-cpu',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const teamIds = (await harness.addTeams(10)).map(({ teamId }) => teamId);
      const seconds = options.isQuick ? 5 : 30;
      await harness.start(teamIds);
      const maximum = await measureMaximum(harness, teamIds, seconds);
      const half = Math.round(maximum / 2);
      return [
        await measure(harness, `at half of our maximum of ${perSecond(maximum)}`, '<= 0.25 ms', () =>
          harness.publisher.publish({ teamIds, perTransaction, perSecond: half, total: half * seconds }),
        ),
        await measure(harness, 'at 200/s, one event a transaction', undefined, () =>
          harness.publisher.publish({ teamIds, perTransaction: 1, perSecond: 200, total: 200 * seconds }),
        ),
      ];
    }),
};

async function measure(harness: Harness, what: string, aim: string | undefined, work: () => Promise<{ count: number }>): Promise<Line> {
  const read = () => [
    cpuMs(harness.dispatcher.pid),
    cpuMs(harness.publisher.pid),
    postgresCpuMs(harness.server.pid),
    cpuMs(harness.receiver.pid),
  ];
  await harness.reset();
  const before = read();
  const { count } = await work();
  await arrived(harness, count, 120_000);
  await harness.caughtUp(60_000);
  const [dispatcher = 0, publisher = 0, postgres = 0, receiver = 0] = read().map((ms, i) => (ms - (before[i] ?? 0)) / count);
  const parts = `dispatcher ${dispatcher.toFixed(3)}, writer ${publisher.toFixed(3)}, Postgres ${postgres.toFixed(3)}`;
  return {
    what: `CPU a delivered event, ${what}`,
    figure: `${(dispatcher + publisher + postgres).toFixed(3)} ms (${parts}; beside them the receiver ${receiver.toFixed(3)})`,
    ...(aim !== undefined && { aim }),
  };
}
