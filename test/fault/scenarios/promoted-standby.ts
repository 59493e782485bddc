import { sleep } from '@pulsewire/kernel';
import { generationOf } from '@pulsewire/eventlog';
import { startReplicatedServer } from '../../support/replicated-server.ts';
import { countOrderFaults } from '../harness/order.ts';
import { createLoad, extend, openJudge } from './load.ts';
import type { Scenario } from './scenario.ts';

/** Fraction of the duration before the failover, and how much of it the standby misses. */
const before = 0.4;
const missedMs = 3000;

export const promotedStandby: Scenario = {
  name: 'promoted-standby',
  summary: 'an asynchronous standby that misses three seconds is promoted, so offsets were used that it does not know',
  async run(options) {
    const servers = await startReplicatedServer(['faults']);
    const judge = openJudge(servers.url('faults'));
    try {
      const load = await createLoad({ ...options, url: servers.url('faults'), judge });
      try {
        load.start();
        await load.arriving();
        await sleep(options.seconds * 1000 * before);
        const witnesses = [load.witness, load.ordered];
        const seenBefore = witnesses.map(({ sightings }) => new Set(sightings.keys()));
        await servers.caughtUp();
        await servers.cutReplication();
        await sleep(missedMs);
        options.report(`failing over after ${load.witness.sightings.size} messages`);
        await servers.failOver();
        await sleep(options.seconds * 1000 * (1 - before));
        // Events that only the old primary had committed were delivered, and are in no log now. They were committed after the standby had
        // caught up.
        const fromOldPrimary = witnesses.map(({ sightings }, index) =>
          [...sightings].filter(([id, { sequence }]) => generationOf(sequence) === 1 && !seenBefore[index]?.has(id)),
        );
        const result = await load.finish({ comparesRows: false, unknownMax: fromOldPrimary.flat().length });
        const all = countOrderFaults(load.ordered.arrivals);
        const generations = await judge.sql<{ generation: number }[]>`SELECT DISTINCT generation FROM log_generations`;
        const events = await judge.sql<{ offset: string }[]>`SELECT "offset" FROM log_events WHERE user_id IS NOT NULL`;
        const after = events.filter(({ offset }) => generationOf(Number(offset)) > 1).length;
        return extend(
          result,
          {
            'out of order and overtaken, counting what the old primary alone had': `${all.disorder} and ${all.overtaken}`,
            'generations that ended': generations.length,
            'committed by the new primary': after,
          },
          [['nothing was committed by the new primary', after === 0]],
        );
      } finally {
        await load.close();
      }
    } finally {
      await judge.close();
      await servers.stop();
    }
  },
};
