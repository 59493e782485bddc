import { expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { shardOf, type NewEvent } from '@pulsewire/eventlog';
import { attemptOutcomes } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const idOf = ({ eventId }: NewEvent): string => `msg_${uuidToBase62(eventId)}`;

/** Different users of one shard, so that a hanging first delivery keeps the position before all of them. */
function neighbours(count: number): string[] {
  const users = [uuidv7()];
  while (users.length < count) {
    const userId = uuidv7();
    if (shardOf(userId) === shardOf(users[0] as string)) users.push(userId);
  }
  return users;
}

it('after a takeover an ordered endpoint gets no recorded event again, and each user keeps the order', async () => {
  const harness = await createHarness();
  const { receiver, endpointId } = await harness.endpoint();
  await file.current.sql`UPDATE webhook_endpoints SET ordering = 'per_user' WHERE endpoint_id = ${endpointId}`;
  const [hanging, fine, refused] = neighbours(3) as [string, string, string];
  const userOf = (body: string) => (JSON.parse(body) as { user_id: string }).user_id;
  receiver.respond = ({ body }, response) => {
    if (userOf(body) === hanging) return;
    response.writeHead(userOf(body) === refused ? 400 : 204).end();
  };
  const sent = new Map<string, NewEvent[]>();
  const emit = async (userId: string, count: number) => {
    for (let i = 0; i < count; i++) sent.set(userId, [...(sent.get(userId) ?? []), ...(await harness.emit(1, { userId }))]);
  };
  const first = harness.start({ parkAfterMs: 60_000, scheduleMs: [0, 600_000] });
  for (const userId of [hanging, fine, refused]) await emit(userId, 3);
  // Recorded although the position is before all of it: three successes, one failure, and the rows behind that.
  const { delivered, failed } = attemptOutcomes;
  await expect
    .poll(async () => (await harness.attempts()).map((row) => row.outcome).toSorted((a, b) => a - b))
    .toEqual([delivered, delivered, delivered, failed]);
  await expect.poll(async () => (await harness.pending()).length).toBe(3);
  const [position] = await file.current.sql`SELECT "offset"::int AS "offset" FROM log_positions WHERE shard = ${shardOf(fine)}`;
  expect(position).toEqual({ offset: 0 });
  await first.crash();

  receiver.received.length = 0;
  receiver.respond = (_request, response) => void response.writeHead(204).end();
  // Meanwhile each user queue grows.
  for (const userId of [hanging, fine, refused]) await emit(userId, 2);
  harness.start({ scheduleMs: [0, 600_000] });
  await harness.caughtUp();
  const ids = (userId: string) => (sent.get(userId) ?? []).map(idOf);
  const seen = (userId: string) => receiver.received.filter(({ body }) => userOf(body) === userId).map(({ id }) => id);
  expect(seen(hanging)).toEqual(ids(hanging));
  expect(seen(fine)).toEqual(ids(fine).slice(3));
  // Its first delivery waits for a retry, and all others wait behind it.
  expect(seen(refused)).toEqual([]);
  // By event: ids of one millisecond are in no order.
  const waiting = new Map((await harness.pending()).map((row) => [row.event_id, [row.attempts, row.due_in_ms === null]]));
  expect((sent.get(refused) ?? []).map(({ eventId }) => waiting.get(eventId))).toEqual([
    [1, false],
    ...Array.from({ length: 4 }, () => [0, true]),
  ]);
  expect(waiting.size).toBe(5);

  await file.current.sql`UPDATE webhook_pending SET due_at = now() WHERE due_at < 'infinity'`;
  await file.current.sql`SELECT pg_notify('pulsewire_webhooks', ${endpointId})`;
  await expect.poll(async () => (await harness.pending()).length).toBe(0);
  expect(seen(refused)).toEqual(ids(refused));
  expect(seen(fine)).toHaveLength(2);
});
