import { sleep } from '@pulsewire/kernel';
import { Rebuild, followTopic } from '../../pipeline/rebuild.ts';
import { createLoad, extend } from './load.ts';
import { withKafka } from './with-kafka.ts';
import { readStates } from './read-states.ts';
import type { Scenario } from './scenario.ts';

/** Longer than the lease, so that the other relay takes over. */
const frozenMs = 10_000;
const betweenMs = 5000;

export const frozenRelay: Scenario = {
  name: 'frozen-relay',
  summary: 'one of two relays is frozen for ten seconds in the middle of its work, and goes on behind its successor',
  run: (options) =>
    withKafka(async ({ url, judge, config, kafka, env }) => {
      const pipeline = new Rebuild();
      const follower = await followTopic(config, kafka.names.events, 'pipeline', pipeline);
      const load = await createLoad({ ...options, url, judge, env, services: ['relay 1', 'relay 2'] });
      const relays = load.children.filter(({ name }) => name.startsWith('relay'));
      let freezes = 0;
      try {
        load.start();
        await load.arriving();
        const endMs = performance.now() + options.seconds * 1000;
        do {
          const relay = relays[freezes % relays.length];
          if (relay) process.kill(relay.pid, 'SIGSTOP');
          await sleep(frozenMs);
          if (relay) process.kill(relay.pid, 'SIGCONT');
          freezes += 1;
          options.report(`${relay?.name} was frozen for ${frozenMs / 1000} s; ${load.witness.sightings.size} messages so far`);
          await sleep(betweenMs);
        } while (performance.now() < endMs);
        const result = await load.finish();
        for (let waitedMs = 0; pipeline.events < result.committed && waitedMs < 30_000; waitedMs += 200) await sleep(200);
        const missing = result.committed - pipeline.events;
        const states = await readStates(config, kafka.names.summaries);
        return extend(
          result,
          {
            freezes,
            'on Kafka': pipeline.events,
            'missing on Kafka': missing,
            'out of order on Kafka': pipeline.disorder,
            'keys of the compacted topic': states.keys,
            'keys whose last record is not the newest': states.stale,
          },
          [
            ['events missing on Kafka', missing > 0],
            ['order on Kafka broken', pipeline.disorder > 0],
            ['a compacted topic went back in time', states.stale > 0],
            ['no keys on the compacted topic', states.keys === 0],
          ],
        );
      } finally {
        for (const relay of relays) if (relay.isRunning) process.kill(relay.pid, 'SIGCONT');
        await load.close();
        await follower.stop();
      }
    }),
};
