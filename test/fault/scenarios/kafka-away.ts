import { sleep } from '@pulsewire/kernel';
import { createLateServer } from '../../support/kafka/late-server.ts';
import { createLoad, extend } from './load.ts';
import { withKafka } from './kafka-stage.ts';
import type { Scenario } from './scenario.ts';

/** Shares of the time: until the registry is there, until the broker is there too. */
const registryAt = 0.3;
const brokerAt = 0.6;

export const kafkaAway: Scenario = {
  name: 'kafka-away',
  summary: 'broker and registry are away when relays, dispatchers and scheduler start, and come one after the other',
  run: (options) =>
    withKafka(async ({ url, judge, env }) => {
      const registryUrl = new URL(env['SCHEMA_REGISTRY_URL'] ?? '');
      const [broker, registry] = [await createLateServer(env['KAFKA_BROKERS'] ?? ''), await createLateServer(registryUrl.host)];
      registryUrl.host = registry.address;
      const awayEnv = { ...env, KAFKA_BROKERS: broker.address, SCHEMA_REGISTRY_URL: registryUrl.href };
      const load = await createLoad({ ...options, url, judge, env: awayEnv, services: ['relay 1', 'scheduler 1'] });
      const committed = async () => {
        const [row] = await judge.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM log_events`;
        return row?.count ?? 0;
      };
      try {
        load.start();
        await sleep(options.seconds * 1000 * registryAt);
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
        const result = await load.finish();
        return extend(
          result,
          {
            'committed while both were away': whileAway,
            'delivered while both were away': takenWhileAway,
            'delivering after the broker came': `${backS.toFixed(1)} s`,
          },
          [
            ['nothing was committed while Kafka was away', whileAway === 0],
            ['not delivering within a minute', backS >= 60],
          ],
        );
      } finally {
        await load.close();
        await Promise.all([broker.close(), registry.close()]);
      }
    }),
};
