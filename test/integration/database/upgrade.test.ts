import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { authenticateKey } from '@pulsewire/connections';
import { migrate, openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { jsonEvent, withEvents } from '@pulsewire/eventlog';
import { systemClock } from '@pulsewire/kernel';
import { drawVersion } from '@pulsewire/store';
import { claimShards } from '../../../packages/eventlog/src/group/claim-shards.ts';

/** The last migration of the version that is upgraded from. */
const lastNumber = 18;
const migrations = path.join(import.meta.dirname, '../../../packages/database/migrations');
const name = `pulsewire_${randomBytes(6).toString('hex')}`;
const [teamId, userId, otherUserId] = [randomUUID(), randomUUID(), randomUUID()];
const apiKey = `pk_${randomBytes(20).toString('hex')}`;
let database: Database;

async function migrateToEarlier(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort();
  for (const file of files.slice(0, lastNumber)) await copyFile(path.join(migrations, file), path.join(folder, file));
  await migrate(database, { folder });
  await rm(folder, { recursive: true });
}

/** Data of an earlier version: a key, half-read events, and plans of a user with one account and of a user who had another before. */
async function fill(): Promise<void> {
  const { sql } = database;
  await sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'Team', now())`;
  await sql`
    INSERT INTO api_keys (key_id, team_id, key_hash, label, created_at)
    VALUES (${randomUUID()}, ${teamId}, ${createHash('sha256').update(apiKey).digest()}, 'before', now())`;
  await sql`UPDATE log_shards SET next_offset = 7, day = (now() AT TIME ZONE 'UTC')::date`;
  await sql`
    INSERT INTO log_positions (consumer, shard, "offset", day, epoch, owner)
    SELECT 'dispatcher', shard, 5, day, 3, 'gone' FROM log_shards`;
  await sql`SELECT setval('receipt_versions', 5000)`;
  for (const [user, hadOther] of [
    [userId, false],
    [otherUserId, true],
  ] as const) {
    const connectionId = randomUUID();
    await sql`
      INSERT INTO connections (connection_id, team_id, user_id, provider, status, application, created_at, updated_at)
      VALUES (${connectionId}, ${teamId}, ${user}, 'fitbit', 'connected', 'platform', now(), now())`;
    await sql`
      INSERT INTO pull_plans (connection_id, team_id, user_id, provider, next_pull_at, account_due_at, created_at)
      VALUES (${connectionId}, ${teamId}, ${user}, 'fitbit', now(), now(), now())`;
    await sql`
      INSERT INTO pull_windows (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, state, due_at, planned_at)
      VALUES (${hadOther ? randomUUID() : connectionId}, ${teamId}, ${user}, 'days', 0, '{}', 'live', now(), now(), 'done', now(), now())`;
  }
}

beforeAll(async () => {
  database = openDatabase({ url: await createDatabase(inject('adminUrl'), name), connectionsMax: 4 });
  await migrateToEarlier();
  await fill();
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  await dropDatabase(inject('adminUrl'), name);
});

test('after an upgrade an API key from before scopes allows everything, from any address', async () => {
  expect(await authenticateKey(database, systemClock, apiKey, '203.0.113.5')).toMatchObject({
    team: { teamId },
    scopes: null,
    isAddressAllowed: true,
  });
});

test('after an upgrade consumers keep their positions, and new events follow the old without a gap', async () => {
  const member = { group: 'dispatcher', memberId: 'new', leaseMs: 10_000 };
  const claimed = await claimShards(database, member, [], 64);
  expect(claimed.map(({ offset }) => offset)).toEqual(Array.from({ length: 64 }, () => 5));
  expect(claimed.every(({ epoch }) => epoch === 4)).toBe(true);
  const event = jsonEvent({ eventType: 'daily.data.activity.created', teamId, userId, clientUserId: null, data: {} });
  await withEvents(database, async (_tx, emit) => emit(event));
  expect(await database.sql`SELECT "offset"::int AS place FROM log_events`).toEqual([{ place: 7 }]);
});

test('after an upgrade new versions are higher than all stored before', async () => {
  expect(await drawVersion(database)).toBeGreaterThan(5000n);
  expect(await database.sql`SELECT version::int FROM receipt_version_mark`).toEqual([{ version: 5000 }]);
});

test('after an upgrade complete responses remove nothing that may be from another account', async () => {
  const rows = await database.sql<{ user_id: string; since: number }[]>`SELECT user_id, reads_since::int AS since FROM pull_plans`;
  expect(Object.fromEntries(rows.map((row) => [row.user_id, row.since]))).toEqual({ [userId]: 0, [otherUserId]: 5000 });
});
