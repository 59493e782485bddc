import type { Benchmark, Line } from '../report.ts';
import { describeLatencies, latenciesOf, measureMaximum, perSecond, perTransaction, summarize } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';
import type { PublishOptions } from './harness/publisher.ts';
import type { Harness, HarnessEndpoint } from './harness/harness.ts';

/** From the end of a commit to the request at the receiver: one at a time, at steady rates, at half of our own maximum. */
export const latencyBenchmark: Benchmark = {
  name: 'delivery-latency',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const endpoints = await harness.addTeams(10);
      const teamIds = endpoints.map(({ teamId }) => teamId);
      const seconds = options.isQuick ? 4 : 30;
      const few = 'p50 <= 3 ms, p99 <= 20 ms';
      await harness.start(teamIds);
      const maximum = await measureMaximum(harness, teamIds, seconds);
      const half = Math.round(maximum / 2);
      const at = (rate: number, each: number) => ({ teamIds, perTransaction: each, perSecond: rate, total: rate * seconds });
      return [
        await measure(harness, endpoints, 'one at a time', few, {
          teamIds,
          perTransaction: 1,
          perSecond: 10,
          total: options.isQuick ? 40 : 300,
        }),
        await measure(harness, endpoints, 'at 100/s', few, at(100, 1)),
        await measure(harness, endpoints, 'at 500/s', few, at(500, 1)),
        await measure(
          harness,
          endpoints,
          `at half of our maximum of ${perSecond(maximum)}, ${perTransaction} events a transaction`,
          'p50 <= 20 ms, p99 <= 100 ms',
          at(half, perTransaction),
        ),
      ];
    }),
};

type Load = Omit<PublishOptions, 'base'>;

async function measure(harness: Harness, endpoints: readonly HarnessEndpoint[], what: string, aim: string, load: Load): Promise<Line> {
  // The start of each rate warms up connections and compiled code.
  await harness.publisher.publish({ ...load, total: Math.min(load.total ?? 0, Math.ceil((load.perSecond ?? 1) * 2)) });
  await harness.caughtUp(60_000);
  await harness.reset();
  const published = await harness.publisher.publish(load);
  await harness.caughtUp(60_000);
  const latencies: number[] = [];
  for (const endpoint of endpoints) for (const latency of await latenciesOf(harness, endpoint, published)) latencies.push(latency);
  const from = harness.sinkUrl === undefined ? 'commit to receiver' : 'commit to the start of the attempt';
  return { what: `${from}, ${what}`, figure: describeLatencies(summarize(latencies, published.count)), aim };
}
