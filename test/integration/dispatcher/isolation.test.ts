import { describe, expect, it } from 'vitest';
import { readLag } from '@pulsewire/eventlog';
import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { createAddressGuard, createWebhookSender } from '@pulsewire/outbound';
import { attemptOutcomes, createDispatcher } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { useHarness } from './harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);

describe('one endpoint', () => {
  it('that hangs stops neither the others nor the position', async () => {
    const harness = await createHarness();
    const hanging = await harness.endpoint();
    const good = await harness.endpoint();
    hanging.receiver.respond = () => {};
    harness.start({ inFlightMax: 8, parkAfterMs: 200, attemptMsMax: 3000 });
    for (let round = 0; round < 10; round++) await harness.emit(20);
    await good.receiver.until(200);
    await harness.caughtUp();
    expect((await harness.pending()).filter((row) => row.endpoint_id === hanging.endpointId)).toHaveLength(200);
    expect(hanging.receiver.received.length).toBeLessThan(20);
    expect((await readLag(file.current, 'dispatcher')).events).toBe(0);

    hanging.receiver.respond = (_request, response) => void response.writeHead(200).end();
    await hanging.receiver.until(200);
  });

  it('that responds after its delivery was parked is recorded once, and the row is removed', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const release: (() => void)[] = [];
    receiver.respond = (_request, response) => void release.push(() => response.writeHead(200).end());
    harness.start({ parkAfterMs: 100, inFlightMax: 256 });
    await harness.emit(5);
    await receiver.until(5);
    await harness.caughtUp();
    const parked = await harness.pending();
    expect(parked).toHaveLength(5);
    expect(parked.every((row) => row.lease_owner !== null && row.attempts === 0)).toBe(true);
    for (const respond of release) respond();
    await expect.poll(async () => (await harness.pending()).length).toBe(0);
    expect(await harness.attempts()).toHaveLength(5);
    expect(receiver.received).toHaveLength(5);
  });

  it('with a rate limit never gets more than that per second, and eventually gets everything', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    await harness.context.database.sql`UPDATE webhook_endpoints SET rate_limit = 20 WHERE endpoint_id = ${endpointId}`;
    harness.start({ parkAfterMs: 200 });
    const startedMs = performance.now();
    await harness.emit(50);
    // Each once or more: on a slow machine a lease may end meanwhile, and its next holder sends again what was not recorded yet.
    await expect.poll(() => new Set(receiver.received.map(({ id }) => id)).size).toBe(50);
    expect(performance.now() - startedMs).toBeGreaterThan(1200);
  });
});

describe('endpoints that hang', () => {
  it('leave capacity for the others, however many they are', async () => {
    const harness = await createHarness();
    const hanging = await Promise.all(Array.from({ length: 4 }, () => harness.endpoint()));
    for (const { receiver } of hanging) receiver.respond = () => {};
    const good = await harness.endpoint();
    harness.start({ inFlightMax: 8, inFlightTotalMax: 16, attemptMsMax: 15_000 });
    await harness.emit(100);
    await good.receiver.until(100);
    await harness.caughtUp();
    expect(good.receiver.received).toHaveLength(100);
  }, 12_000);

  it('never exceed the bound of unrecorded events: reading pauses until they respond', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const release: (() => void)[] = [];
    receiver.respond = (_request, response) => void release.push(() => response.writeHead(204).end());
    const running = harness.start({ unrecordedMax: 64, parkAfterMs: 60_000, inFlightMax: 16 });
    const seen: number[] = [];
    await harness.emit(400);
    await expect.poll(() => running.dispatcher.stats().unrecordedEvents).toBeGreaterThan(50);
    for (let look = 0; look < 20; look++) {
      seen.push(running.dispatcher.stats().unrecordedEvents);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(64);
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    for (const respond of release) respond();
    await receiver.until(400);
    await harness.caughtUp();
    expect(receiver.received).toHaveLength(400);
  });

  it('do not fill memory with their retries, however many they are', async () => {
    const harness = await createHarness();
    const hanging = await Promise.all(Array.from({ length: 6 }, () => harness.endpoint({ filterTypes: ['daily.data.sleep.created'] })));
    for (const { receiver } of hanging) receiver.respond = () => {};
    await harness.emit(200);
    await file.current.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      SELECT e.endpoint_id, l.event_id, l.shard, l."offset", l.day, 1, now() FROM log_events l CROSS JOIN webhook_endpoints e`;
    const running = harness.start({ parkAfterMs: 60_000, inFlightMax: 1024 });
    const held = async () =>
      (await harness.pending()).filter((row) => row.lease_owner !== null).length - running.dispatcher.stats().inFlight;
    await expect.poll(held, { timeout: 8000 }).toBeGreaterThan(400);
    let last = -1;
    const isSteady = async () => {
      const before = last;
      last = await held();
      return last === before;
    };
    await expect.poll(isSteady, { interval: 200, timeout: 8000 }).toBe(true);
    expect(last).toBeLessThanOrEqual(512);
  }, 12_000);
});

describe('retries', () => {
  it('of hanging endpoints leave memory for those of other endpoints', async () => {
    const harness = await createHarness();
    const hanging = await Promise.all(Array.from({ length: 6 }, () => harness.endpoint({ filterTypes: ['daily.data.sleep.created'] })));
    for (const { receiver } of hanging) receiver.respond = () => {};
    const [event] = await harness.emit(200);
    const insert = (endpointIds: readonly string[], count: number) => file.current.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      SELECT e.endpoint_id, l.event_id, l.shard, l."offset", l.day, 1, now()
      FROM (SELECT * FROM log_events ORDER BY event_id = ${event?.eventId ?? ''} DESC LIMIT ${count}) l CROSS JOIN webhook_endpoints e
      WHERE e.endpoint_id = ANY(${[...endpointIds]}::uuid[])`;
    await insert(
      hanging.map(({ endpointId }) => endpointId),
      200,
    );
    const good = await harness.endpoint({ filterTypes: ['daily.data.sleep.created'] });
    const running = harness.start({ parkAfterMs: 2000, inFlightMax: 1024, attemptMsMax: 30_000 });
    // The most they may have in progress: from here on, rows claimed for them wait in memory.
    await expect.poll(() => running.dispatcher.stats().inFlight).toBe(6 * 64);
    await insert([good.endpointId], 1);
    await good.receiver.until(1);
  }, 25_000);
});

describe('the address guard', () => {
  it('blocks deliveries to a forbidden address, including one behind a host name', async () => {
    const harness = await createHarness();
    const { receiver, url } = await harness.endpoint();
    await harness.context.database.sql`UPDATE webhook_endpoints SET url = ${url.replace('127.0.0.1', 'innocent.example')}`;
    const sender = createWebhookSender({ guard: createAddressGuard(), resolveName: async () => ['93.184.215.14', '127.0.0.1'] });
    const parts = {
      database: file.current,
      log: harness.createLog(file.current),
      cipher: harness.context.cipher,
      sender,
      clock: systemClock,
      logger: silentLogger,
      metrics: noMetrics,
    };
    const controller = new AbortController();
    const running = createDispatcher({ ...parts, memberId: 'guarded' }).run(controller.signal);
    await harness.emit(1);
    await expect.poll(async () => (await harness.attempts()).length).toBe(1);
    controller.abort();
    await running;
    await sender.close();
    expect((await harness.attempts())[0]).toMatchObject({ outcome: attemptOutcomes.failed, status: null, error: 'address_blocked' });
    expect(receiver.received).toEqual([]);
  });
});
