import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import type { NewEvent } from '@pulsewire/eventlog';
import { attemptOutcomes, cancelReplay, resendMessage } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness, type TestReceiver, type Harness } from '../harness.ts';
import { useReplays } from './replay-rows.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const { replay, ended, progressOf } = useReplays(file);
const idOf = ({ eventId }: NewEvent): string => `msg_${uuidToBase62(eventId)}`;
const once = { parkAfterMs: 60_000, scheduleMs: [0, 600_000] };

/** Requests wait until the test responds to them, in order of arrival. */
function holdAll(receiver: TestReceiver): ((status: number) => void)[] {
  const open: ((status: number) => void)[] = [];
  receiver.respond = (_request, response) => void open.push((status) => void response.writeHead(status).end());
  return open;
}

/** Adds a row that only the replay needs; its removal shows that the dispatcher has processed the cancellation. */
async function addReplayRow(endpointId: string, replayId: string): Promise<void> {
  await file.current.sql`
    INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, lane, replay_id)
    VALUES (${endpointId}, ${uuidv7()}, 0, 0, now()::date, 0, now() + interval '1 hour', 1, ${replayId})`;
}

async function cancel(harness: Harness, endpointId: string, replayId: string): Promise<void> {
  await addReplayRow(endpointId, replayId);
  await cancelReplay(harness.context, harness.teamId, endpointId, replayId);
  const own = () => file.current.sql`SELECT FROM webhook_pending WHERE replay_id = ${replayId} AND lease_owner IS NULL`;
  await expect.poll(async () => (await own()).length, { timeout: 10_000 }).toBe(0);
}

describe('a replay during a first attempt', () => {
  it('keeps the row of the failed delivery when the replay is cancelled', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const open = holdAll(receiver);
    harness.start(once);
    const [event] = (await harness.emit(1)) as [NewEvent];
    await receiver.until(1);
    const replayId = await replay(harness, endpointId, { selection: 'missing', until: new Date(Date.now() + 60_000) });
    await receiver.untilTrue(() => receiver.received.length === 2);
    open[0]?.(400);
    await harness.caughtUp();
    open[1]?.(400);
    await cancel(harness, endpointId, replayId);
    expect(await harness.pending()).toMatchObject([{ event_id: event.eventId, attempts: 1 }]);
  });

  it('keeps the order of the user: the next event waits for the failed one', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    await file.current.sql`UPDATE webhook_endpoints SET ordering = 'per_user' WHERE endpoint_id = ${endpointId}`;
    const open = holdAll(receiver);
    harness.start(once);
    const userId = uuidv7();
    const [first] = (await harness.emit(1, { userId })) as [NewEvent];
    await receiver.until(1);
    const replayId = await replay(harness, endpointId, { selection: 'missing', until: new Date(Date.now() + 60_000) });
    await receiver.untilTrue(() => receiver.received.length === 2);
    await ended(replayId).toBe('running');
    const [next] = (await harness.emit(1, { userId })) as [NewEvent];
    open[0]?.(400);
    await harness.caughtUp();
    // A replayed message is outside of the order and does not settle the user queue.
    open[1]?.(204);
    await expect.poll(async () => (await harness.attempts()).length).toBe(2);
    expect(await harness.pending()).toMatchObject([
      { event_id: first.eventId, attempts: 1 },
      { event_id: next.eventId, due_in_ms: null },
    ]);
    expect(receiver.received.map(({ id }) => id)).toEqual([idOf(first), idOf(first)]);

    receiver.respond = (_request, response) => void response.writeHead(204).end();
    await file.current.sql`UPDATE webhook_pending SET due_at = now() WHERE event_id = ${first.eventId}`;
    await file.current.sql`SELECT pg_notify('pulsewire_webhooks', ${endpointId})`;
    await receiver.until(2);
    expect(receiver.received.map(({ id }) => id)).toEqual([idOf(first), idOf(first), idOf(first), idOf(next)]);
  });

  it('is not mistaken for the record of the delivery after a takeover', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    holdAll(receiver);
    const first = harness.start(once);
    const [event] = (await harness.emit(1)) as [NewEvent];
    await receiver.until(1);
    await replay(harness, endpointId, { selection: 'missing', until: new Date(Date.now() + 60_000) });
    await receiver.untilTrue(() => receiver.received.length === 2);
    await first.crash();
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    harness.start(once);
    await harness.caughtUp();
    expect(await harness.attempts()).toMatchObject([{ event_id: event.eventId, outcome: attemptOutcomes.delivered }]);
  });
});

describe('a row of a cancelled replay', () => {
  it('stays when the message was resent meanwhile', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const running = harness.start(once);
    const [event] = (await harness.emit(1)) as [NewEvent];
    await receiver.until(1);
    await harness.caughtUp();
    const open = holdAll(receiver);
    const replayId = await replay(harness, endpointId);
    await receiver.untilTrue(() => receiver.received.length === 2);
    expect((await resendMessage(harness.context, harness.teamId, endpointId, idOf(event))).status).toBe('under_way');
    open[0]?.(400);
    await expect.poll(async () => (await harness.attempts()).length).toBe(2);
    await cancel(harness, endpointId, replayId);
    expect(await harness.pending()).toMatchObject([{ event_id: event.eventId, attempts: 1 }]);
    await running.stop();
  });

  it('moves to the next replay that selects the same message', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const events = await harness.emit(3);
    harness.start();
    await receiver.until(3);
    await harness.caughtUp();
    // Rows of the cancelled replay that are not removed yet.
    const cancelled = await replay(harness, endpointId, { until: new Date(0), since: new Date(0) });
    await file.current.sql`UPDATE webhook_replays SET status = 'completed' WHERE replay_id = ${cancelled}`;
    for (const { eventId } of events)
      await file.current.sql`
        INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, lane, replay_id, lease_owner, lease_until)
        SELECT ${endpointId}, event_id, shard, "offset", day, 0, now() + interval '1 hour', 1, ${cancelled}, 'someone', now() + interval '1 hour'
        FROM log_events WHERE event_id = ${eventId}`;
    await file.current.sql`UPDATE webhook_replays SET status = 'cancelled' WHERE replay_id = ${cancelled}`;
    const replayId = await replay(harness, endpointId);
    await expect.poll(() => progressOf(replayId), { timeout: 10_000 }).toMatchObject({ total: 3, enqueued: 3 });
    const rows = await file.current.sql`SELECT FROM webhook_pending WHERE replay_id = ${replayId}`;
    expect(rows).toHaveLength(3);
  });
});
