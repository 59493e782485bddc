import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createManualClock, systemClock, uuidv7 } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { eraseUserEvents, jsonEvent, maintainLog, withEvents } from '@pulsewire/eventlog';
import { createEndpoint, eraseUserDeliveries, maintainAttempts } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();
const teamId = uuidv7();
const today = systemClock.now().toISOString().slice(0, 10);
const dayMs = 86_400_000;
let endpointId: string;

beforeAll(async () => {
  await maintainLog(file.current, { today, keepDays: 30 });
  await maintainAttempts(file.current, { today, keepDays: 90 });
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
  const context = { database: file.current, cipher, clock: createManualClock(systemClock.now()) };
  endpointId = (await createEndpoint(context, teamId, { url: 'https://example.org' })).id;
});
beforeEach(async () => {
  for (const table of ['webhook_pending', 'webhook_attempts', 'webhook_replays']) await file.current.sql.unsafe(`DELETE FROM ${table}`);
});

/** A user with events in the log, each attempted on the given days and waiting for a retry, and a replay of that user. */
async function newUser(events: number, triedAfterDays: readonly number[] = [0]): Promise<string> {
  const { sql } = file.current;
  const userId = uuidv7();
  await withEvents(file.current, async (_tx, emit) => {
    for (let i = 0; i < events; i++)
      emit(jsonEvent({ eventType: 'daily.data.sleep.created', teamId, userId, clientUserId: 'someone', data: { i } }));
  });
  for (const days of triedAfterDays) {
    const at = new Date(Date.parse(today) + days * dayMs).toISOString();
    // Every second message is derived from the event and has its own id.
    await sql`
      INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, duration_ms, event_type)
      SELECT ${at.slice(0, 10)}, ${endpointId}, ${at}, CASE WHEN "offset" % 2 = 0 THEN event_id ELSE gen_random_uuid() END, shard, "offset", day, 1, 2, 5, event_type
      FROM log_events WHERE user_id = ${userId}`;
  }
  await sql`
    INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, user_id, event_type)
    SELECT ${endpointId}, event_id, shard, "offset", day, 1, now(), user_id, event_type FROM log_events WHERE user_id = ${userId}`;
  await sql`
    INSERT INTO webhook_replays (replay_id, team_id, endpoint_id, since, until, user_id, selection, created_at)
    VALUES (${uuidv7()}, ${teamId}, ${endpointId}, now(), now(), ${userId}, 'all', now())`;
  return userId;
}

const erase = (userId: string) =>
  file.current.transaction(async (tx) => eraseUserDeliveries(tx, { teamId, userId }, await eraseUserEvents(tx, { teamId, userId })));

async function left(userId: string): Promise<object> {
  const [row] = await file.current.sql`
    SELECT (SELECT count(*)::int FROM webhook_attempts a JOIN log_events e ON e.shard = a.shard AND e."offset" = a."offset" WHERE e.user_id = ${userId}) AS attempts,
           (SELECT count(*)::int FROM webhook_pending WHERE user_id = ${userId}) AS pending,
           (SELECT count(*)::int FROM webhook_replays WHERE user_id = ${userId}) AS replays,
           (SELECT count(*)::int FROM log_events WHERE user_id = ${userId} AND (json <> '{}' OR packed IS NOT NULL OR client_user_id IS NOT NULL)) AS bodies`;
  return row ?? {};
}
const nothing = { attempts: 0, pending: 0, replays: 0, bodies: 0 };

it('erasing a user removes only the bodies, pending rows, attempts and replays of that user', async () => {
  const gone = await newUser(5, [0, 1, 3]);
  const kept = await newUser(4, [0, 1]);
  expect(await left(gone)).toEqual({ attempts: 15, pending: 5, replays: 1, bodies: 5 });
  await erase(gone);
  expect(await left(gone)).toEqual(nothing);
  expect(await left(kept)).toEqual({ attempts: 8, pending: 4, replays: 1, bodies: 4 });
});

it('a repeated erasure removes an attempt that was in progress at the first one', async () => {
  const userId = await newUser(2);
  await erase(userId);
  await file.current.sql`
    INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, duration_ms, event_type)
    SELECT ${today}, ${endpointId}, now(), event_id, shard, "offset", day, 2, 3, 5, event_type FROM log_events WHERE user_id = ${userId}`;
  await erase(userId);
  expect(await left(userId)).toEqual(nothing);
});

it('an interrupted erasure removes nothing', async () => {
  const userId = await newUser(2);
  const before = await left(userId);
  const cut = file.current.transaction(async (tx) => {
    await eraseUserDeliveries(tx, { teamId, userId }, await eraseUserEvents(tx, { teamId, userId }));
    throw new Error('cut off');
  });
  await expect(cut).rejects.toThrow('cut off');
  expect(await left(userId)).toEqual(before);
});

it('an erasure for another team removes nothing', async () => {
  const userId = await newUser(1);
  const before = await left(userId);
  const other = { teamId: uuidv7(), userId };
  await file.current.transaction(async (tx) => eraseUserDeliveries(tx, other, await eraseUserEvents(tx, other)));
  expect(await left(userId)).toEqual(before);
});

it('an erasure handles any number of events', async () => {
  const userId = await newUser(4500);
  await erase(userId);
  expect(await left(userId)).toEqual(nothing);
}, 60_000);
