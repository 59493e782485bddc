import { describe, expect, it } from 'vitest';
import { uuidToBase62 } from '@pulsewire/kernel';
import { attemptOutcomes, listAttempts, updateEndpoint } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const createHarness = useHarness(useDatabase());
const messageIds = (events: readonly { readonly eventId: string }[]): Set<string> =>
  new Set(events.map(({ eventId }) => `msg_${uuidToBase62(eventId)}`));

describe('failed attempts', () => {
  it('are retried after a restart with the same id and by the schedule', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(500).end();
    const first = harness.start({ scheduleMs: [0, 200, 200] });
    // Too few to open the circuit: a log may deliver them one after the other.
    const events = await harness.emit(8);
    await receiver.until(8);
    await harness.caughtUp();
    await first.stop();

    const pending = await harness.pending();
    expect(pending).toHaveLength(8);
    expect(pending.every((row) => row.attempts >= 1 && row.lease_owner === null)).toBe(true);

    receiver.received.length = 0;
    receiver.respond = (_request, response) => void response.writeHead(200).end('ok');
    harness.start({ scheduleMs: [0, 200, 200] });
    await receiver.until(8);
    expect(receiver.ids).toEqual(messageIds(events));
  });

  it('end as exhausted after the last retry, announced once to endpoints that subscribe to it', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(503).end();
    const operator = await harness.endpoint({ filterTypes: ['message.attempt.exhausted'] });
    operator.receiver.respond = (_request, response) => void response.writeHead(500).end();
    harness.start({ scheduleMs: [0, 50, 50] });
    const [event] = await harness.emit(1);
    await operator.receiver.untilTrue(() => operator.receiver.received.length === 3);

    const { event_type, data, ...rest } = JSON.parse(operator.receiver.received[0]?.body ?? '') as { event_type: string; data: object };
    expect(event_type).toBe('message.attempt.exhausted');
    expect(Object.keys(rest)).toEqual(['team_id']);
    expect(data).toMatchObject({
      endpoint_id: endpointId,
      message_id: `msg_${uuidToBase62(event?.eventId ?? '')}`,
      event_type: 'daily.data.activity.created',
      attempts: 3,
      last_status: 503,
    });
    await harness.caughtUp();
    await expect.poll(async () => (await harness.pending()).length).toBe(0);
    expect(
      receiver.received
        .map((one) => JSON.parse(one.body) as { event_type: string })
        .every((one) => one.event_type !== 'message.attempt.exhausted'),
    ).toBe(true);
    const [row] = await harness.context.database.sql<
      { count: number }[]
    >`SELECT count(*)::int AS count FROM log_events WHERE event_type = 'message.attempt.exhausted'`;
    expect(row?.count).toBe(1);
  });

  it('wait at least as long as Retry-After requires', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(429, { 'retry-after': '3600' }).end();
    harness.start({ scheduleMs: [0, 50] });
    await harness.emit(1);
    await receiver.until(1);
    await harness.caughtUp();
    const [row] = await harness.pending();
    expect(row?.due_in_ms).toBeGreaterThan(3_590_000);
  });

  it('disable the endpoint after a 410: no next attempt is shown, and nothing is sent until it is enabled', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(410).end();
    harness.start({ scheduleMs: [0, 20] });
    await harness.emit(1);
    await receiver.until(1);
    const read = () =>
      harness.context.database.sql<
        { is_disabled: boolean; disabled_reason: string }[]
      >`SELECT is_disabled, disabled_reason FROM webhook_endpoints`;
    await expect.poll(async () => (await read())[0]).toEqual({ is_disabled: true, disabled_reason: 'gone' });
    await harness.emit(3);
    await harness.caughtUp();
    expect(receiver.received).toHaveLength(1);
    const listed = await listAttempts(harness.context, harness.teamId, endpointId, { limit: 10 });
    expect(listed.data).toMatchObject([{ response_status: 410, next_attempt_at: null }]);

    receiver.respond = (_request, response) => void response.writeHead(200).end();
    await updateEndpoint(harness.context, harness.teamId, endpointId, { disabled: false });
    await receiver.untilTrue(() => receiver.received.length === 2);
    expect(receiver.ids.size).toBe(1);
  });

  it('do not disable an endpoint when its former URL responds 410', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const moved = await harness.receiver();
    const release: (() => void)[] = [];
    receiver.respond = (_request, response) => void release.push(() => response.writeHead(410).end());
    harness.start();
    await harness.emit(1);
    await receiver.until(1);
    await updateEndpoint(harness.context, harness.teamId, endpointId, { url: moved.url });
    await harness.emit(1);
    await moved.receiver.until(1);
    for (const respond of release) respond();
    await expect.poll(async () => (await harness.attempts()).some((one) => one.status === 410)).toBe(true);
    expect(await harness.context.database.sql`SELECT is_disabled FROM webhook_endpoints`).toEqual([{ is_disabled: false }]);
  });

  it('disable the endpoint whose URL responded 410, also for events older than that URL', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint({ filterTypes: ['daily.data.activity.created'] });
    const moved = await harness.receiver();
    const other = await harness.endpoint({ filterTypes: ['daily.data.sleep.created'] });
    const release: (() => void)[] = [];
    receiver.respond = (_request, response) => void release.push(() => response.writeHead(200).end());
    moved.receiver.respond = (_request, response) => void response.writeHead(410).end();
    const { dispatcher } = harness.start({ inFlightMax: 1, parkAfterMs: 60_000 });
    await harness.emit(2);
    await expect.poll(() => dispatcher.stats().unrecordedEvents).toBe(2);
    await receiver.until(1);
    await updateEndpoint(harness.context, harness.teamId, endpointId, { url: moved.url });
    // Routed with the current routes, so its arrival shows that the dispatcher knows the new URL.
    await harness.emit(1, { eventType: 'daily.data.sleep.created' });
    await other.receiver.until(1);
    for (const respond of release) respond();
    const read = () => harness.context.database.sql`SELECT is_disabled FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`;
    await expect.poll(read).toEqual([{ is_disabled: true }]);
  });

  it('never follow a redirect', async () => {
    const harness = await createHarness();
    const other = await harness.receiver();
    const { receiver } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(307, { location: other.url }).end();
    harness.start();
    await harness.emit(1);
    await receiver.until(1);
    await harness.caughtUp();
    expect((await harness.attempts())[0]).toMatchObject({ outcome: attemptOutcomes.failed, status: 307 });
    expect(other.receiver.received).toEqual([]);
  });

  it('of an endpoint that always fails are avoided: events become rows without an attempt', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(500).end();
    harness.start({ inFlightMax: 4 });
    await harness.emit(30);
    await harness.caughtUp();
    const tried = receiver.received.length;
    expect(tried).toBeLessThan(30);
    await harness.emit(200);
    await harness.caughtUp();
    // A few occasional probes.
    expect(receiver.received.length).toBeLessThan(tried + 60);
    expect(await harness.pending()).toHaveLength(230);
  });
});
