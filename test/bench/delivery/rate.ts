import { bareLoop } from '../bare-loop.ts';
import type { Benchmark } from '../report.ts';
import { measureDrain, medianOf, perSecond } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';

/** Deliveries of a backlog, signed and recorded, by one dispatcher, compared with a bare undici loop at the same receiver. */
export const rateBenchmark: Benchmark = {
  name: 'delivery-rate',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const events = options.isQuick ? 10_000 : 60_000;
      const [endpoint] = await harness.addTeams(1);
      const teamIds = [endpoint?.teamId ?? ''];
      await harness.start(teamIds);
      const ours: number[] = [];
      const bare: number[] = [];
      // Round 0 warms up; the two alternate, so that both see the same machine.
      for (let round = 0; round <= (options.isQuick ? 1 : 3); round++) {
        const rate = await measureDrain(harness, teamIds, events);
        const body = JSON.stringify({ filler: 'x'.repeat(1000) });
        const bareMs = await bareLoop({ url: harness.sinkUrl ?? harness.receiver.url(0, 'ok'), body, count: events, inFlight: 64 });
        if (round === 0) continue;
        ours.push(rate);
        bare.push((events * 1000) / bareMs);
      }
      const [rate, bareRate] = [medianOf(ours), medianOf(bare)];
      return [
        {
          what: 'deliveries of a backlog, signed and recorded, fan-out 1, one process',
          figure: perSecond(rate),
          against: `bare undici loop at the same receiver ${perSecond(bareRate)}`,
          ratio: rate / bareRate,
          aim: '>= 0.6',
        },
      ];
    }),
};
