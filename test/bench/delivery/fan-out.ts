import type { Benchmark } from '../report.ts';
import { measureDrain, medianOf, perSecond } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';

const fanOut = 50;

/** Deliveries per second when each event goes to fifty endpoints, compared with the same number of deliveries with one. */
export const fanOutBenchmark: Benchmark = {
  name: 'delivery-fan-out',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const deliveries = options.isQuick ? 10_000 : 100_000;
      const [single] = await harness.addTeams(1);
      const wide = await harness.addTeam();
      for (let i = 0; i < fanOut; i++) await harness.addEndpoint(wide);
      await harness.start([single?.teamId ?? '', wide]);
      const one: number[] = [];
      const fifty: number[] = [];
      for (let round = 0; round <= (options.isQuick ? 1 : 3); round++) {
        const rates = [
          await measureDrain(harness, [single?.teamId ?? ''], deliveries),
          await measureDrain(harness, [wide], deliveries, fanOut),
        ];
        if (round === 0) continue;
        one.push(rates[0] ?? 0);
        fifty.push(rates[1] ?? 0);
      }
      const [rate, against] = [medianOf(fifty), medianOf(one)];
      return [
        {
          what: `deliveries of a backlog, fan-out ${fanOut}`,
          figure: perSecond(rate),
          against: `fan-out 1 ${perSecond(against)}`,
          ratio: rate / against,
          aim: '>= 1',
        },
      ];
    }),
};
