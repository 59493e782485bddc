import { sleep } from '@pulsewire/kernel';
import { generationOf } from '@pulsewire/eventlog';
import { startReplicatedServer } from '../../support/replicated-server.ts';
import { createLoad, extend, openJudge } from './load.ts';
import type { Scenario } from './scenario.ts';

/** Share of the time before the failover, and what the standby misses of it. */
const before = 0.4;
const missedMs = 3000;
/** Until what was refused once is taken. */
const retriedMs = 8000;

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
        // A message that is refused once and then lost with its server would seem to be overtaken for ever.
        for (const one of [load.witness, load.ordered]) one.refuseShare = 0;
        await sleep(retriedMs);
        await servers.caughtUp();
        await servers.cutReplication();
        const seenBefore = load.witness.sightings.size;
        await sleep(missedMs);
        options.report(`failing over after ${load.witness.sightings.size} messages`);
        const seen = [...load.witness.sightings.keys(), ...load.ordered.sightings.keys()].length;
        await servers.failOver();
        for (const one of [load.witness, load.ordered]) one.refuseShare = 0.01;
        await sleep(options.seconds * 1000 * (1 - before));
        // What the old primary alone had committed was delivered, and is known to nobody any more.
        const result = await load.finish({ comparesRows: false, unknownMax: seen });
        const generations = await judge.sql<{ generation: number }[]>`SELECT DISTINCT generation FROM log_generations`;
        const events = await judge.sql<{ offset: string }[]>`SELECT "offset" FROM log_events WHERE user_id IS NOT NULL`;
        const after = events.filter(({ offset }) => generationOf(Number(offset)) > 1).length;
        return extend(
          result,
          {
            'delivered before the failover': seenBefore,
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
