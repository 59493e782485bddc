import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { shardOf, type NewEvent } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';
import { useReplays } from './replay-rows.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const idsOf = (events: readonly NewEvent[]): Set<string> => new Set(events.map(({ eventId }) => `msg_${uuidToBase62(eventId)}`));

const { replay, progressOf, ended } = useReplays(file);

describe('a replay', () => {
  it('resends everything under the same ids with bounded rows, and counts the outcomes', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const running = harness.start({ replayRowsMax: 64 });
    const events = await harness.emit(300);
    await receiver.until(300);
    await harness.caughtUp();
    receiver.received.length = 0;
    let mostRows = 0;
    receiver.respond = (_request, response) =>
      void harness.pending().then((rows) => {
        mostRows = Math.max(mostRows, rows.length);
        response.writeHead(204).end();
      });
    const replayId = await replay(harness, endpointId);
    await ended(replayId).toBe('completed');
    expect(receiver.ids).toEqual(idsOf(events));
    expect(receiver.received).toHaveLength(300);
    await expect.poll(() => progressOf(replayId)).toMatchObject({ total: 300, enqueued: 300, delivered: 300, exhausted: 0 });
    expect(mostRows).toBeGreaterThan(0);
    expect(mostRows).toBeLessThanOrEqual(64);
    await running.stop();
  });

  it('sends a new endpoint each event that it missed exactly once', async () => {
    const harness = await createHarness();
    const old = await harness.endpoint();
    // Long enough for a busy machine: a lapsed lease would repeat what was delivered and not yet recorded.
    harness.start({}, { leaseMs: 10_000 });
    const events = await harness.emit(40);
    await old.receiver.until(40);
    await harness.caughtUp();
    const fresh = await harness.endpoint();
    const later = await harness.emit(5);
    await fresh.receiver.until(5);
    await harness.caughtUp();
    const replayId = await replay(harness, fresh.endpointId, { selection: 'missing' });
    await ended(replayId).toBe('completed');
    expect(fresh.receiver.ids).toEqual(idsOf([...events, ...later]));
    expect(fresh.receiver.received).toHaveLength(45);
    expect(old.receiver.received).toHaveLength(45);
  });

  it('of failures resends exhausted messages and makes waiting ones due now', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const good = await harness.emit(3);
    const bad = await harness.emit(4);
    const refused = [...idsOf(bad)].slice(0, 2);
    const waits = [...idsOf(bad)].slice(2);
    let isBroken = true;
    receiver.respond = ({ id }, response) => {
      if (isBroken && refused.includes(id)) return void response.writeHead(400, { 'webhook-delivery': 'abort-message' }).end();
      response.writeHead(isBroken && waits.includes(id) ? 400 : 204).end();
    };
    harness.start({ scheduleMs: [0, 600_000] });
    await receiver.until(7);
    await harness.caughtUp();
    expect(await harness.pending()).toHaveLength(2);
    isBroken = false;
    receiver.received.length = 0;
    const replayId = await replay(harness, endpointId, { selection: 'failed' });
    await ended(replayId).toBe('completed');
    await receiver.until(4);
    expect(receiver.ids).toEqual(idsOf(bad));
    expect([...idsOf(good)].some((id) => receiver.ids.has(id))).toBe(false);
  });

  it('sends only events of its user, types and time range', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const userId = uuidv7();
    let neighbour = uuidv7();
    while (shardOf(neighbour) !== shardOf(userId)) neighbour = uuidv7();
    await harness.emit(5, { userId });
    await file.current.sql`UPDATE log_events SET written_at = written_at - 60000`;
    const since = new Date(Date.now() - 30_000);
    const wanted = await harness.emit(3, { userId });
    await harness.emit(3, { userId, eventType: 'provider.connection.created', data: { x: 1 } });
    await harness.emit(3, { userId: neighbour });
    harness.start();
    await receiver.until(14);
    await harness.caughtUp();
    receiver.received.length = 0;
    const replayId = await replay(harness, endpointId, { userId, since, eventTypes: ['daily.data.activity.created'] });
    await ended(replayId).toBe('completed');
    expect(receiver.ids).toEqual(idsOf(wanted));
  });

  it('removes its own rows when it is cancelled, and no others', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    harness.start({ replayRowsMax: 64 });
    await harness.emit(200);
    await receiver.until(200);
    await harness.caughtUp();
    receiver.respond = (_request, response) => void response.writeHead(503, { 'retry-after': '60' }).end();
    const own = await harness.emit(2);
    await receiver.until(201);
    await harness.caughtUp();
    const replayId = await replay(harness, endpointId);
    await expect.poll(async () => (await harness.pending()).length).toBeGreaterThan(20);
    await file.current.sql`UPDATE webhook_replays SET status = 'cancelled', ended_at = now() WHERE replay_id = ${replayId}`;
    await file.current.sql`SELECT pg_notify('pulsewire_webhooks', 'replays')`;
    await expect
      .poll(async () => (await harness.pending()).map((row) => row.event_id).toSorted())
      .toEqual(own.map(({ eventId }) => eventId).toSorted());
  });

  it('is continued by another dispatcher after a crash', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const first = harness.start({ replayRowsMax: 32, leaseMs: 2000, attemptMsMax: 1000 });
    const events = await harness.emit(200);
    await receiver.until(200);
    await harness.caughtUp();
    receiver.received.length = 0;
    receiver.respond = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 10);
    const replayId = await replay(harness, endpointId);
    await receiver.until(40);
    await first.crash();
    harness.start({ replayRowsMax: 32, leaseMs: 2000, attemptMsMax: 1000 });
    await ended(replayId).toBe('completed');
    await receiver.until(200);
    expect(receiver.ids).toEqual(idsOf(events));
    expect(await progressOf(replayId)).toMatchObject({ total: 200, enqueued: 200 });
  }, 60_000);

  it('ends as failed when its endpoint is removed', async () => {
    const harness = await createHarness();
    const { endpointId } = await harness.endpoint();
    harness.start();
    await file.current.sql`UPDATE webhook_endpoints SET is_disabled = true`;
    const replayId = await replay(harness, endpointId);
    await file.current.sql`DELETE FROM webhook_endpoints`;
    await ended(replayId).toBe('failed');
    expect((await progressOf(replayId))?.error).toBe('endpoint_gone');
  }, 60_000);

  it('is sent after live events', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const running = harness.start({ inFlightMax: 16 });
    const old = await harness.emit(300);
    await receiver.until(300);
    await harness.caughtUp();
    receiver.received.length = 0;
    receiver.respond = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 20);
    const replayId = await replay(harness, endpointId);
    await receiver.until(20);
    const live = idsOf(await harness.emit(20));
    await receiver.untilTrue(() => [...live].every((id) => receiver.ids.has(id)));
    const oldSeen = [...idsOf(old)].filter((id) => receiver.ids.has(id)).length;
    expect(oldSeen).toBeLessThan(200);
    await ended(replayId).toBe('completed');
    await running.stop();
  }, 60_000);
});
