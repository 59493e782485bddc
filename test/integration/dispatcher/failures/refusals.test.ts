import { afterEach, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { shardOf } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);

let table: string | undefined;

/** Makes Postgres reject rows of a table that meet the condition, with SQLSTATE 22003. */
async function refuse(action: 'INSERT' | 'UPDATE', on: string, where: string): Promise<void> {
  table = on;
  await file.current.sql.unsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '22003'; END $$;
    CREATE TRIGGER refuses BEFORE ${action} ON ${on} FOR EACH ROW WHEN (${where}) EXECUTE FUNCTION refuse()`);
}

afterEach(async () => {
  if (table !== undefined) await file.current.sql.unsafe(`DROP TRIGGER refuses ON ${table}; DROP FUNCTION refuse()`);
  table = undefined;
});

const statusOf = (ids: ReadonlySet<string>, status: number) => (id: string) => (ids.has(id) ? status : 204);
const messageId = (eventId: string | undefined) => `msg_${uuidToBase62(eventId ?? '')}`;

it('records a batch although Postgres rejects disabling one of its endpoints', async () => {
  const harness = await createHarness();
  const gone = await harness.endpoint();
  const other = await harness.endpoint();
  await refuse('UPDATE', 'webhook_endpoints', `NEW.is_disabled AND NEW.endpoint_id = '${gone.endpointId}'`);
  gone.receiver.respond = (_request, response) => void response.writeHead(410).end();
  await harness.emit(10);
  harness.start();
  await other.receiver.until(10);
  await harness.caughtUp();
  await expect.poll(async () => (await harness.attempts()).filter(({ endpoint_id }) => endpoint_id === other.endpointId).length).toBe(10);
  expect((await harness.attempts()).some(({ endpoint_id, status }) => endpoint_id === gone.endpointId && status === 410)).toBe(true);
});

it('records a batch and frees all other user queues although Postgres rejects freeing one', async () => {
  const harness = await createHarness();
  const { receiver, endpointId } = await harness.endpoint();
  await file.current.sql`UPDATE webhook_endpoints SET ordering = 'per_user' WHERE endpoint_id = ${endpointId}`;
  const [bad, good] = [uuidv7(), uuidv7()];
  const first = [...(await harness.emit(1, { userId: bad })), ...(await harness.emit(1, { userId: good }))];
  await harness.emit(1, { userId: bad });
  const [second] = await harness.emit(1, { userId: good });
  await refuse('UPDATE', 'webhook_pending', `OLD.due_at = 'infinity' AND NEW.due_at < 'infinity' AND NEW.user_id = '${bad}'`);
  const failed = new Set(first.map(({ eventId }) => messageId(eventId)));
  receiver.respond = ({ id }, response) => {
    response.writeHead(statusOf(failed, 400)(id)).end();
    failed.delete(id);
  };
  harness.start({ scheduleMs: [0, 50, 600_000] });
  await receiver.untilTrue(() => receiver.ids.has(messageId(second?.eventId)));
  await harness.caughtUp();
  await expect.poll(async () => (await harness.pending()).length, { timeout: 20_000 }).toBe(1);
});

it('advances the positions of all other shards when Postgres rejects one', async () => {
  const harness = await createHarness();
  const { receiver } = await harness.endpoint();
  const events = await harness.emit(40);
  const bad = shardOf(events[0]?.userId ?? '');
  await refuse('UPDATE', 'log_positions', `NEW.consumer = 'dispatcher' AND NEW.shard = ${bad} AND NEW."offset" > OLD."offset"`);
  harness.start();
  await receiver.until(40);
  const behind = () => file.current.sql<{ shard: number }[]>`
    SELECT p.shard FROM log_positions p JOIN log_shards s USING (shard) WHERE p.consumer = 'dispatcher' AND p."offset" < s.next_offset`;
  await expect.poll(behind, { timeout: 20_000 }).toEqual([{ shard: bad }]);
  await expect.poll(async () => (await harness.attempts()).length).toBe(40);
});

it('announces every other exhausted message when Postgres rejects one announcement', async () => {
  const harness = await createHarness();
  const [one, other] = [await harness.endpoint(), await harness.endpoint({ teamId: uuidv7() })];
  await file.current.sql`UPDATE webhook_endpoints SET team_id = ${harness.teamId} WHERE endpoint_id = ${other.endpointId}`;
  await refuse('INSERT', 'log_events', `NEW.event_type = 'message.attempt.exhausted' AND NEW.json LIKE '%${one.endpointId}%'`);
  for (const { receiver } of [one, other]) receiver.respond = (_request, response) => void response.writeHead(400).end();
  await harness.emit(5);
  harness.start({ scheduleMs: [0] });
  const reported = () => file.current.sql<{ endpoint_id: string }[]>`
    SELECT json::jsonb->>'endpoint_id' AS endpoint_id FROM log_events WHERE event_type = 'message.attempt.exhausted'`;
  await expect
    .poll(async () => (await reported()).map(({ endpoint_id }) => endpoint_id), { timeout: 20_000 })
    .toEqual(Array.from({ length: 5 }, () => other.endpointId));
  await expect.poll(async () => (await harness.attempts()).length).toBe(10);
});
