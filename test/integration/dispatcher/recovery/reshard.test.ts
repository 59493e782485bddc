import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { eraseUserEvents, firstShardCount, firstShardOf, reshard, shardOf, type NewEvent } from '@pulsewire/eventlog';
import { attemptOutcomes, eraseUserDeliveries } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness, type Received, type Harness } from '../harness.ts';
import { useReplays } from '../replays/replay-rows.ts';

const file = useDatabase({ connectionsMax: 20 });
const createHarness = useHarness(file);
const { replay, progressOf, ended } = useReplays(file);
const grown = firstShardCount * 2;

const idOf = ({ eventId }: NewEvent): string => `msg_${uuidToBase62(eventId)}`;
const userOf = ({ body }: Received): string => (JSON.parse(body) as { user_id: string }).user_id;
/** Users that a reshard moves to a new shard. */
const isMoved = (userId: string): boolean => shardOf(userId, grown) >= firstShardCount;

function movedUser(isFit: (userId: string) => boolean = () => true): string {
  for (;;) {
    const userId = uuidv7();
    if (isMoved(userId) && isFit(userId)) return userId;
  }
}

async function makeOrdered(endpointId: string): Promise<void> {
  await file.current.sql`UPDATE webhook_endpoints SET ordering = 'per_user' WHERE endpoint_id = ${endpointId}`;
}

/** The messages of a user in the order in which an endpoint first saw them. */
function sightings(received: readonly Received[], userId: string): string[] {
  return [...new Set(received.filter((one) => userOf(one) === userId).map(({ id }) => id))];
}

it('delivers everything, in order to ordered endpoints, while shards are added', { timeout: 120_000 }, async () => {
  const harness = await createHarness();
  const [healthy, flaky, ordered, orderedFlaky, old] = await Promise.all(Array.from({ length: 5 }, () => harness.endpoint()));
  if (!healthy || !flaky || !ordered || !orderedFlaky || !old) throw new Error('endpoints are missing');
  await makeOrdered(ordered.endpointId);
  await makeOrdered(orderedFlaky.endpointId);
  const users = [...Array.from({ length: 30 }, () => uuidv7()), ...Array.from({ length: 4 }, () => movedUser())];
  // Rejected until well after the reshard: their retries wait in the old shard while new events arrive in the new one.
  const refused = new Set(users.slice(-4));
  let isRefusing = true;
  const sent = new Map<string, NewEvent[]>(users.map((userId) => [userId, []]));
  const total = () => [...sent.values()].reduce((sum, events) => sum + events.length, 0);
  for (const { receiver, endpointId } of [flaky, orderedFlaky]) {
    const refuses = (userId: string) => endpointId === orderedFlaky.endpointId && isRefusing && refused.has(userId);
    const failed = new Set<string>();
    receiver.respond = (one, response) => {
      const isFirst = !failed.has(one.id) && failed.size % 4 === 0;
      failed.add(one.id);
      response.writeHead(isFirst || refuses(userOf(one)) ? 500 : 204).end();
    };
  }
  const tuning = { scheduleMs: [0, ...Array.from({ length: 200 }, () => 300)], parkAfterMs: 500 };
  const emit = async (userId: string) => void sent.get(userId)?.push(...(await harness.emit(1, { userId })));
  await Promise.all(users.map((userId) => emit(userId)));
  for (let i = 0; i < 2; i++) harness.start(tuning);
  await healthy.receiver.until(total());
  await harness.caughtUp();
  const before = total();
  const replayId = await replay(harness, old.endpointId);

  const rounds = 12;
  const writers = users.map(async (userId) => {
    for (let round = 0; round < rounds; round++) await emit(userId);
  });
  await expect.poll(total, { timeout: 30_000, interval: 5 }).toBeGreaterThan(users.length * 3);
  await reshard(file.current, grown);
  expect(total()).toBeLessThan(users.length * rounds);
  await Promise.all(writers);
  await harness.caughtUp();
  const waiting = await file.current.sql<{ shard: number }[]>`
    SELECT DISTINCT shard FROM webhook_pending WHERE endpoint_id = ${orderedFlaky.endpointId} AND is_ordered`;
  expect(new Set(waiting.map(({ shard }) => shard >= firstShardCount))).toEqual(new Set([true, false]));
  isRefusing = false;

  await expect.poll(async () => (await harness.pending()).length, { timeout: 60_000 }).toBe(0);
  for (const { receiver } of [healthy, flaky, ordered, orderedFlaky]) expect(receiver.ids.size).toBe(total());
  for (const { receiver } of [ordered, orderedFlaky])
    for (const [userId, events] of sent) expect(sightings(receiver.received, userId)).toEqual(events.map(idOf));
  await ended(replayId).toBe('completed');
  expect((await progressOf(replayId))?.total).toBeGreaterThanOrEqual(before);
  const attempts = await harness.attempts();
  const delivered = attempts.filter(({ outcome, endpoint_id: id }) => outcome === attemptOutcomes.delivered && id !== old.endpointId);
  expect(new Set(delivered.map((row) => `${row.endpoint_id} ${row.event_id}`)).size).toBe(4 * total());
});

it('releases a row of the new shard that commits as its predecessor in the old shard settles', { timeout: 120_000 }, async () => {
  const harness = await createHarness();
  const { receiver, endpointId } = await harness.endpoint();
  await makeOrdered(endpointId);
  const userId = movedUser();
  const { sql } = file.current;
  receiver.respond = (_one, response) => void response.writeHead(500).end();
  const first = harness.start({ scheduleMs: [0, 600_000, 600_000] });
  const [failed] = await harness.emit(1, { userId });
  await expect.poll(async () => (await harness.pending()).map(({ attempts }) => attempts)).toEqual([1]);
  await harness.caughtUp();
  await first.stop();
  await reshard(file.current, grown);

  // The new row stays uncommitted for as long as the test holds a lock, after everything else of its transaction is done.
  await sql.unsafe(`
    CREATE OR REPLACE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON webhook_pending DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION hold_commit()`);
  const isHeld = async () => (await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`).length > 0;
  const held = Promise.withResolvers<void>();
  const holding = file.current.transaction(async (tx) => {
    await tx.sql`SELECT pg_advisory_xact_lock(4711)`;
    await held.promise;
  });
  try {
    receiver.respond = (_one, response) => void response.writeHead(204).end();
    // As the only dispatcher it owns the new shard. It claims no row, because settling the old one would wait for its blocked transaction.
    const reader = harness.start({ scheduleMs: [0, 600_000] });
    await sql.unsafe(`
      CREATE OR REPLACE FUNCTION leave_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER leave_row BEFORE UPDATE ON webhook_pending FOR EACH ROW
        WHEN (OLD.lease_owner IS NULL AND NEW.lease_owner = '${reader.memberId}') EXECUTE FUNCTION leave_row()`);
    const [next] = await harness.emit(1, { userId });
    await expect.poll(isHeld, { timeout: 60_000 }).toBe(true);
    harness.start({ scheduleMs: [0, 600_000] });
    await sql`UPDATE webhook_pending SET due_at = now() WHERE due_at < 'infinity'`;
    await sql`SELECT pg_notify('pulsewire_webhooks', ${endpointId})`;
    await receiver.untilTrue(() => receiver.received.length === 2);
    // Recording the response must wait for the blocked transaction, because it would not see the row of that transaction.
    const isRecorded = async () => (await harness.attempts()).some(({ outcome }) => outcome === attemptOutcomes.delivered);
    const isWaiting = async () => {
      const waiting = await sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM log_positions%FOR UPDATE%'`;
      return waiting.length > 0;
    };
    await expect.poll(async () => (await isWaiting()) || (await isRecorded()), { timeout: 60_000 }).toBe(true);
    expect(await isRecorded()).toBe(false);
    held.resolve();
    await holding;
    await expect.poll(isRecorded, { timeout: 60_000 }).toBe(true);
    await expect.poll(async () => (await harness.pending()).filter((row) => row.due_in_ms === null).length, { timeout: 60_000 }).toBe(0);
    await receiver.untilTrue(() => receiver.ids.size === 2);
    expect(sightings(receiver.received, userId)).toEqual([failed, next].map((event) => event && idOf(event)));
  } finally {
    held.resolve();
    await holding;
    await sql.unsafe('DROP TRIGGER hold_commit ON webhook_pending; DROP TRIGGER IF EXISTS leave_row ON webhook_pending');
  }
});

describe('lookups of a user’s events after a reshard', () => {
  async function delivered(harness: Harness, receiver: { until(distinct: number): Promise<void> }, count: number): Promise<void> {
    await receiver.until(count);
    await harness.caughtUp();
  }

  it('a running replay reads shards added meanwhile', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const first = harness.start({ replayRowsMax: 4 });
    await harness.emit(20);
    await delivered(harness, receiver, 20);
    receiver.respond = () => {};
    const replayId = await replay(harness, endpointId, { until: new Date(Date.now() + 3_600_000) });
    await expect.poll(async () => (await progressOf(replayId))?.enqueued, { timeout: 20_000 }).toBeGreaterThan(0);
    await first.crash();
    expect((await progressOf(replayId))?.total).toBeLessThan(20);
    await reshard(file.current, grown);
    for (let i = 0; i < 5; i++) await harness.emit(1, { userId: movedUser() });
    receiver.respond = (_one, response) => void response.writeHead(204).end();
    await file.current.sql`UPDATE webhook_pending SET lease_owner = NULL, lease_until = NULL`;
    await file.current.sql`UPDATE webhook_replays SET lease_owner = NULL, lease_until = NULL`;
    harness.start();
    await ended(replayId).toBe('completed');
    expect(await progressOf(replayId)).toMatchObject({ total: 25 });
  });

  it('a finished replay of one user also reads the user’s new shard', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const first = harness.start();
    const userId = movedUser();
    await harness.emit(2, { userId });
    await delivered(harness, receiver, 2);
    receiver.respond = () => {};
    const replayId = await replay(harness, endpointId, { userId, until: new Date(Date.now() + 3_600_000) });
    await expect.poll(async () => (await progressOf(replayId))?.total, { timeout: 20_000 }).toBe(2);
    await first.crash();
    await reshard(file.current, grown);
    await harness.emit(1, { userId });
    await harness.emit(1, { userId: movedUser((other) => shardOf(other, grown) !== shardOf(userId, grown)) });
    receiver.respond = (_one, response) => void response.writeHead(204).end();
    await file.current.sql`UPDATE webhook_pending SET lease_owner = NULL, lease_until = NULL`;
    harness.start();
    await ended(replayId).toBe('completed');
    expect(await progressOf(replayId)).toMatchObject({ total: 3 });
  });

  it('an erasure removes the user’s attempts in every shard, and no other user’s', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    harness.start();
    const userId = movedUser();
    const stays =
      Array.from({ length: 5000 }, () => uuidv7()).find((id) => shardOf(id, grown) === firstShardOf(shardOf(userId, grown))) ?? '';
    await harness.emit(1, { userId });
    await reshard(file.current, grown);
    // Both are the first of their shard in this generation, and so have the same offset.
    await harness.emit(1, { userId });
    const [other] = await harness.emit(1, { userId: stays });
    await delivered(harness, receiver, 3);
    await file.current.transaction(async (tx) => {
      const user = { teamId: harness.teamId, userId };
      await eraseUserDeliveries(tx, user, await eraseUserEvents(tx, user));
    });
    expect((await harness.attempts()).map(({ event_id: id }) => id)).toEqual([other?.eventId]);
  });
});
