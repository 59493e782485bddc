import type { Behaviour } from './harness/behaviours.ts';
import type { Benchmark, Line } from '../report.ts';
import {
  describeLatencies,
  latenciesOf,
  measureMaximum,
  medianOf,
  perSecond,
  perTransaction,
  summarize,
  type Latencies,
} from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';
import type { Harness, HarnessEndpoint } from './harness/harness.ts';

const sicknesses: readonly { readonly behaviour: Behaviour; readonly what: string }[] = [
  { behaviour: 'hang', what: 'never answers' },
  { behaviour: 'drip', what: 'answers byte by byte' },
  { behaviour: '500', what: 'answers 500' },
  { behaviour: '429', what: 'answers 429' },
];
const aim = '<= 1.2';

/**
 * Five teams with two endpoints each, at half of our own maximum; the tenth endpoint is healthy, or failing in one of four ways. The other
 * nine are compared with the runs in which it was healthy, before, between and after (the median of their p99). The other endpoint of its
 * team gets the same events.
 */
export const isolationBenchmark: Benchmark = {
  name: 'delivery-isolation',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const seconds = options.minutes === undefined ? (options.isQuick ? 8 : 180) : options.minutes * 60;
      const endpoints: HarnessEndpoint[] = [];
      for (let team = 0; team < 5; team++) {
        const teamId = await harness.addTeam();
        endpoints.push(await harness.addEndpoint(teamId));
        if (team < 4) endpoints.push(await harness.addEndpoint(teamId));
      }
      const teamIds = [...new Set(endpoints.map(({ teamId }) => teamId))];
      const lastTeam = teamIds.at(-1) ?? '';
      const phase = async (behaviour: Behaviour, rate: number, forSeconds: number) => {
        const tenth = await harness.addEndpoint(lastTeam, behaviour);
        const measured = await measure(harness, endpoints, { teamIds, perSecond: rate / 2, seconds: forSeconds });
        await harness.removeEndpoint(tenth);
        return measured;
      };
      await harness.start(teamIds);
      const spare = await harness.addEndpoint(lastTeam);
      const maximum = await measureMaximum(harness, teamIds, options.isQuick ? 5 : 30);
      await harness.removeEndpoint(spare);
      const half = maximum / 2;
      console.log(`  ${perSecond(maximum)} deliveries at most, so ${perSecond(half)} for ${seconds} s each`);
      await phase('ok', half, Math.min(10, seconds));

      const well: Latencies[] = [];
      const sick: { what: string; measured: Latencies }[] = [];
      const measureWell = async () => {
        const measured = await phase('ok', half, seconds);
        well.push(measured);
        console.log(`  all well: ${describeLatencies(measured)}`);
      };
      await measureWell();
      for (const [index, { behaviour, what }] of sicknesses.entries()) {
        const measured = await phase(behaviour, half, seconds);
        sick.push({ what, measured });
        console.log(`  one of ten ${what}: ${describeLatencies(measured)}`);
        if (index % 2 === 1) await measureWell();
      }
      const wellP99 = medianOf(well.map(({ p99 }) => p99));
      return sick.map(({ what, measured }): Line => ({
        what: `nine others while one of ten ${what}`,
        figure: describeLatencies(measured),
        against: `all well p50 ${medianOf(well.map(({ p50 }) => p50)).toFixed(1)} ms, p99 ${well.map(({ p99 }) => p99.toFixed(1)).join(', ')} ms`,
        ratio: measured.p99 / wellP99,
        aim,
      }));
    }),
};

async function measure(
  harness: Harness,
  endpoints: readonly HarnessEndpoint[],
  load: { readonly teamIds: readonly string[]; readonly perSecond: number; readonly seconds: number },
): Promise<Latencies> {
  await harness.reset();
  const published = await harness.publisher.publish({ ...load, perTransaction });
  await harness.caughtUp(120_000);
  const latencies: number[] = [];
  let expected = 0;
  for (const endpoint of endpoints) {
    const team = load.teamIds.indexOf(endpoint.teamId);
    for (const [index] of published.committedAt.entries())
      if (Math.floor(index / perTransaction) % load.teamIds.length === team) expected += 1;
    for (const latency of await latenciesOf(harness, endpoint, published)) latencies.push(latency);
  }
  return summarize(latencies, expected);
}
