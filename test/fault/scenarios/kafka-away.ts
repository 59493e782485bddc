import { sleep } from '@pulsewire/kernel';
import { createLateServer } from '../../support/kafka/late-server.ts';
import { pulled } from '../campaign.ts';
import { createPipeline } from '../harness/pipeline.ts';
import { createLoad, extend } from './load.ts';
import { withKafka } from './with-kafka.ts';
import type { Scenario } from './scenario.ts';

/** Fractions of the duration: until the registry is up, and until the broker is up. */
const registryAt = 0.3;
const brokerAt = 0.6;
/** Time for the provider's data to become events. */
const responseMaxMs = 60_000;

export const kafkaAway: Scenario = {
  name: 'kafka-away',
  summary: 'broker and registry are away when relays, dispatchers and scheduler start, and come one after the other',
  run: (options) =>
    withKafka(async ({ url, judge, env }) => {
      const registryUrl = new URL(env['SCHEMA_REGISTRY_URL'] ?? '');
      const [broker, registry] = [await createLateServer(env['KAFKA_BROKERS'] ?? ''), await createLateServer(registryUrl.host)];
      registryUrl.host = registry.address;
      const awayEnv = { ...env, KAFKA_BROKERS: broker.address, SCHEMA_REGISTRY_URL: registryUrl.href };
      const load = await createLoad({ ...options, url, judge, env: awayEnv, services: ['relay 1'] });
      const pipeline = await createPipeline({ env: load.env, apiKey: load.apiKey, accounts: 2 });
      load.add(pipeline.children);
      const committed = async () => {
        const [row] = await judge.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM log_events`;
        return row?.count ?? 0;
      };
      /** Events of the accounts that were linked through the API; the writer's users are not among them. */
      const ingested = async () => {
        const [row] = await judge.sql<
          { count: number }[]
        >`SELECT count(*)::int AS count FROM log_events WHERE user_id IN (SELECT user_id FROM users) AND event_type LIKE '%.data.%'`;
        return row?.count ?? 0;
      };
      const grows = async (beyond: number) => {
        for (let waitedMs = 0; waitedMs < responseMaxMs; waitedMs += 100) {
          if ((await ingested()) > beyond) return true;
          await sleep(100);
        }
        return false;
      };
      try {
        load.start();
        const startMs = performance.now();
        await pipeline.ready();
        for (const name of pipeline.accounts) await pipeline.linkAccount(name);
        const isPulled = await grows(0);
        await pulled(judge);
        const beforePush = await ingested();
        pipeline.publish();
        const isPushed = await grows(beforePush);
        const afterPush = await ingested();
        options.report(`while both were away: ${beforePush} events of linked accounts, ${afterPush - beforePush} more after a push`);
        await sleep(Math.max(0, options.seconds * 1000 * registryAt - (performance.now() - startMs)));
        const whileAway = await committed();
        const takenWhileAway = load.witness.sightings.size;
        options.report(`${whileAway} events committed and ${takenWhileAway} delivered while both were away`);
        await registry.open();
        await sleep(options.seconds * 1000 * (brokerAt - registryAt));
        await broker.open();
        const openedMs = performance.now();
        while (load.witness.sightings.size === takenWhileAway && performance.now() - openedMs < 60_000) await sleep(50);
        const backS = (performance.now() - openedMs) / 1000;
        options.report(`delivering ${backS.toFixed(1)} s after the broker came`);
        await sleep(Math.max(0, options.seconds * 1000 * (1 - brokerAt) - backS * 1000));
        await pulled(judge);
        for (const child of pipeline.children) await child.stop();
        const result = await load.finish();
        return extend(
          result,
          {
            'committed while both were away': whileAway,
            'events of accounts linked while both were away': beforePush,
            'more of them after a push, while both were away': afterPush - beforePush,
            'delivered while both were away': takenWhileAway,
            'delivering after the broker came': `${backS.toFixed(1)} s`,
          },
          [
            ['nothing was pulled while Kafka was away', !isPulled],
            ['no push was followed while Kafka was away', !isPushed],
            ['nothing was committed while Kafka was away', whileAway === 0],
            ['not delivering within a minute', backS >= 60],
          ],
        );
      } finally {
        await load.close();
        await Promise.all([broker.close(), registry.close(), pipeline.close()]);
      }
    }),
};
