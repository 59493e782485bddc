import { bareLoop } from '../bare-loop.ts';
import type { Benchmark } from '../report.ts';
import { drainBacklog, type Drain, medianOf, perSecond } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';

/** Deliveries of a backlog, signed and recorded, by one dispatcher, compared with a bare undici loop at the same receiver. */
export const rateBenchmark: Benchmark = {
  name: 'delivery-rate',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness) => {
      const events = options.isQuick ? 20_000 : 60_000;
      const [endpoint] = await harness.addTeams(1);
      const teamIds = [endpoint?.teamId ?? ''];
      await harness.start(teamIds);
      const ours: Drain[] = [];
      const bare: Drain[] = [];
      // Round 0 warms up; the two alternate, so that both see the same machine.
      for (let round = 0; round <= 3; round++) {
        const drained = await drainBacklog(harness, teamIds, events);
        const looped = await measureBareLoop(harness.sinkUrl ?? harness.receiver.url(0, 'ok'), events);
        if (round === 0) continue;
        ours.push(drained);
        bare.push(looped);
      }
      const median = (drains: readonly Drain[], pick: (one: Drain) => number) => medianOf(drains.map(pick));
      const [rate, bareRate] = [median(ours, (one) => one.rate), median(bare, (one) => one.rate)];
      const [cpuUs, bareCpuUs] = [median(ours, (one) => one.cpuUs), median(bare, (one) => one.cpuUs)];
      return [
        {
          what: 'deliveries of a backlog, signed and recorded, fan-out 1, one process',
          figure: perSecond(rate),
          against: `bare undici loop at the same receiver ${perSecond(bareRate)}`,
          ratio: rate / bareRate,
          aim: '>= 0.6',
        },
        {
          what: 'CPU of the dispatcher for one of them, which depends less on other load',
          figure: `${cpuUs.toFixed(1)} µs`,
          against: `a request of the bare loop ${bareCpuUs.toFixed(1)} µs`,
          ratio: cpuUs / bareCpuUs,
        },
      ];
    }),
};

/** The competitor: as many requests to the same receiver, from this process. */
async function measureBareLoop(url: string, count: number): Promise<Drain> {
  const body = JSON.stringify({ filler: 'x'.repeat(1000) });
  const before = process.cpuUsage();
  const tookMs = await bareLoop({ url, body, count, inFlight: 64 });
  const { user, system } = process.cpuUsage(before);
  return { rate: (count * 1000) / tookMs, cpuUs: (user + system) / count };
}
