import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { sleep } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { createLoad, extend } from './load.ts';
import { withServer } from './own-server.ts';
import type { Scenario } from './scenario.ts';

const hourMs = 3_600_000;
/** Steps of the database's clock and of the processes' clocks, in order, as ms relative to the real time. */
const steps: readonly (readonly [number, number])[] = [
  [0, 36 * hourMs],
  [0, 0],
  [0, -2 * hourMs],
  [-3 * hourMs, 0],
  [36 * hourMs, 0],
  [31 * hourMs, 36 * hourMs],
  [31 * hourMs - 30_000, 30 * hourMs],
  [-2 * hourMs, -2 * hourMs],
];

const repeatsMax = (messages: number): number => Math.ceil(messages / 50);

/** Uses the timestamp of each message as the current time: a receiver with the real time would refuse messages from a shifted clock. */
class AtItsTime extends Webhook {
  override verify(...[body, headers]: Parameters<Webhook['verify']>): unknown {
    const { now } = Date;
    Date.now = () => Number(headers['webhook-timestamp']) * 1000;
    try {
      return super.verify(body, headers);
    } finally {
      Date.now = now;
    }
  }
}

/** Overrides functions of the server, so that its clock can be set for one database. */
async function ownClock({ sql, url }: Database): Promise<void> {
  await sql.unsafe(`
    CREATE SCHEMA stepped;
    CREATE TABLE stepped.clock (by interval NOT NULL);
    INSERT INTO stepped.clock VALUES ('0');
    CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS 'SELECT pg_catalog.clock_timestamp() + (SELECT by FROM stepped.clock)';
    CREATE FUNCTION stepped.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT pg_catalog.now() + (SELECT by FROM stepped.clock)';
    ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = stepped, pg_catalog, public;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
    SET search_path = stepped, pg_catalog, public`);
}

export const clockSteps: Scenario = {
  name: 'clock-steps',
  summary: 'the clocks of Postgres and of all processes step by seconds, hours and days, forward and back',
  run: (options) =>
    withServer(async (url, judge) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-clock-'));
      const file = path.join(folder, 'clock');
      await writeFile(file, '0');
      await ownClock(judge);
      const preload = pathToFileURL(path.join(import.meta.dirname, 'shifted-clock.ts')).href;
      const env = { NODE_OPTIONS: `--import ${preload}?file=${encodeURIComponent(file)}` };
      const load = await createLoad({ ...options, url, judge, env, services: ['scheduler'] });
      const { witness, ordered } = load;
      for (const one of [witness, ordered]) if (one.verifier) Object.setPrototypeOf(one.verifier, AtItsTime.prototype);
      try {
        load.start();
        await load.arriving();
        let taken = 0;
        for (const [databaseMs, processesMs] of steps) {
          await sleep((options.seconds * 1000) / steps.length);
          await judge.sql`UPDATE stepped.clock SET by = ${databaseMs} * interval '1 millisecond'`;
          await writeFile(file, String(processesMs));
          taken += 1;
          options.report(
            `clocks: Postgres ${databaseMs / hourMs} h, processes ${processesMs / hourMs} h; ${witness.sightings.size} messages so far`,
          );
        }
        await sleep((options.seconds * 1000) / steps.length);
        // Leases end early when the database's clock steps forward, and attempts in progress are then made a second time.
        const result = await load.finish({ repeatsMax: repeatsMax(witness.sightings.size) });
        const days = await judge.sql<
          { ahead: number }[]
        >`SELECT max(day) - (pg_catalog.now() AT TIME ZONE 'UTC')::date AS ahead FROM log_shards`;
        return extend(result, { 'steps of the clocks': taken, 'days by which the log is ahead of the real date': days[0]?.ahead ?? 0 });
      } finally {
        await load.close();
        await rm(folder, { recursive: true, force: true });
      }
    }),
};
