import type { Benchmark, Line } from '../report.ts';
import { arrived, measureDrain, measureMaximum, perSecond } from './harness/measures.ts';
import { withHarness } from './harness/with-harness.ts';
import { watchMemory } from './harness/usage.ts';

/** Short, so that deliveries attempted during the outage are soon retried; long enough that none is given up. */
const schedule = [1, 2, ...Array.from({ length: 18 }, () => 5)];

/** Events written while every endpoint is down, and delivered once they are up: memory, loss, and the time to drain. */
export const backlogBenchmark: Benchmark = {
  name: 'delivery-backlog',
  group: 'delivery',
  run: (options) =>
    withHarness(options, async (harness): Promise<readonly Line[]> => {
      if (harness.sinkUrl !== undefined) return [{ what: 'backlog', figure: 'left out: a foreign sink cannot be taken down from here' }];
      const total = options.isQuick ? 20_000 : 300_000;
      const endpoints = await harness.addTeams(10, 'ok', schedule);
      const teamIds = endpoints.map(({ teamId }) => teamId);
      const memory = () => watchMemory(() => harness.dispatcher.pid);
      await harness.start(teamIds);
      const logRate = await measureDrain(harness, teamIds, total);
      const steady = memory();
      const maximum = await measureMaximum(harness, teamIds, options.isQuick ? 5 : 30);
      const steadyMemory = steady.stop();

      await harness.receiver.down();
      await harness.reset();
      const filling = memory();
      const fillStart = performance.now();
      await harness.publisher.publish({ teamIds, perTransaction: 500, usersApart: true, total });
      await harness.caughtUp(600_000);
      const fillMs = performance.now() - fillStart;
      const downMemory = filling.stop();
      const draining = memory();
      const upAt = performance.timeOrigin + performance.now();
      await harness.receiver.up();
      const isWhole = await arrived(harness, total, 900_000).then(
        () => true,
        () => false,
      );
      const drainMemory = draining.stop();
      const { taken, repeats, firstMs, lastMs } = await harness.receiver.summary();
      await harness.settled(120_000).catch(() => {});
      const drainMs = lastMs - firstMs;
      const steadyMs = (total * 1000) / maximum;
      const memories = `steady ${steadyMemory.maxMb.toFixed(0)} MiB, down ${downMemory.maxMb.toFixed(0)}, draining ${drainMemory.maxMb.toFixed(0)}`;
      return [
        {
          what: `backlog of ${total.toLocaleString('en-US')} while all endpoints are down: memory of the dispatcher, highest`,
          figure: memories,
          ratio: Math.max(downMemory.maxMb, drainMemory.maxMb) / steadyMemory.maxMb,
          aim: 'flat: about 1',
        },
        { what: 'backlog: lost', figure: `${total - taken}${isWhole ? '' : ' or late'}; processed twice ${repeats}`, aim: '0' },
        {
          what: 'backlog: time to drain, from the first arrival to the last',
          figure: `${(drainMs / 1000).toFixed(1)} s, ${perSecond((total * 1000) / drainMs)}`,
          against: `at the steady rate of ${perSecond(maximum)}, written and delivered at once, ${(steadyMs / 1000).toFixed(1)} s`,
          ratio: drainMs / steadyMs,
          aim: '<= 1.2',
        },
        {
          what: 'backlog: the same against a backlog of the log, delivered at once by the same dispatcher',
          figure: perSecond((total * 1000) / drainMs),
          against: perSecond(logRate),
          ratio: (drainMs * logRate) / (total * 1000),
        },
        {
          what: 'backlog: all noted while nobody listened, and from the first that listens to the first arrival',
          figure: `${(fillMs / 1000).toFixed(1)} s; ${((firstMs - upAt) / 1000).toFixed(1)} s (the circuit's next probe)`,
        },
      ];
    }),
};
