import { describe, expect, it } from 'vitest';
import { attemptOutcomes } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);

describe('a response', () => {
  it('with webhook-delivery: abort-message ends that message, and no other', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const [first] = await harness.emit(1);
    receiver.respond = (_request, response) => void response.writeHead(500, { 'webhook-delivery': 'abort-message' }).end();
    harness.start({ scheduleMs: [0, 30, 30] });
    await receiver.until(1);
    await harness.caughtUp();
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    await harness.emit(2);
    await receiver.until(3);
    await harness.caughtUp();
    expect(receiver.received).toHaveLength(3);
    expect(await harness.pending()).toEqual([]);
    const ended = (await harness.attempts()).find((row) => row.event_id === first?.eventId);
    expect(ended).toMatchObject({ outcome: attemptOutcomes.exhausted, status: 500, error: 'aborted_by_receiver' });
  });

  it('with webhook-delivery: disable disables the endpoint and announces it', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const operator = await harness.endpoint({ filterTypes: ['endpoint.disabled'] });
    receiver.respond = (_request, response) => void response.writeHead(400, { 'webhook-delivery': 'disable' }).end();
    harness.start({ scheduleMs: [0, 20] });
    await harness.emit(1);
    await operator.receiver.until(1);
    const body = JSON.parse(operator.receiver.received[0]?.body ?? '') as { data: object };
    expect(body.data).toMatchObject({ endpoint_id: endpointId, reason: 'declined', last_status: 400 });
    const [row] = await file.current.sql`SELECT is_disabled, disabled_reason FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`;
    expect(row).toEqual({ is_disabled: true, disabled_reason: 'declined' });
    await harness.emit(2);
    await harness.caughtUp();
    expect(receiver.received).toHaveLength(1);
  });

  it('429 with Retry-After pauses the endpoint and no other', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const other = await harness.endpoint();
    const restedUntil: number[] = [];
    receiver.respond = (_request, response) => {
      restedUntil.push(performance.now() + 2000);
      response.writeHead(429, { 'retry-after': '2' }).end();
    };
    harness.start({ scheduleMs: [0, 10, 10, 10] });
    await harness.emit(1);
    await receiver.until(1);
    await harness.caughtUp();
    let early = 0;
    receiver.respond = (_request, response) => {
      if (performance.now() < (restedUntil[0] ?? 0) - 50) early += 1;
      response.writeHead(204).end();
    };
    await harness.emit(30);
    await other.receiver.until(31);
    await receiver.until(31);
    expect(early).toBe(0);
    await expect.poll(async () => (await harness.pending()).length).toBe(0);
  });
});

describe('an endpoint', () => {
  it('with its own schedule is retried by that schedule and exhausted at its end', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    await file.current.sql`UPDATE webhook_endpoints SET retry_schedule = '{1}' WHERE endpoint_id = ${endpointId}`;
    receiver.respond = (_request, response) => void response.writeHead(400).end();
    harness.start({ scheduleMs: [0, 600_000, 600_000] });
    await harness.emit(1);
    await receiver.untilTrue(() => receiver.received.length === 2);
    await expect
      .poll(async () => (await harness.attempts()).map((row) => row.outcome))
      .toEqual([attemptOutcomes.failed, attemptOutcomes.exhausted]);
    expect(await harness.pending()).toEqual([]);
  });

  it('shares its rate limit among all dispatchers', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    await file.current.sql`UPDATE webhook_endpoints SET rate_limit = 20 WHERE endpoint_id = ${endpointId}`;
    const both = [harness.start({ parkAfterMs: 200 }), harness.start({ parkAfterMs: 200 })];
    const owners = async () =>
      (await file.current.sql`SELECT DISTINCT owner FROM log_positions WHERE consumer = 'dispatcher' AND owner IS NOT NULL`).length;
    await expect.poll(owners, { timeout: 15_000 }).toBe(2);
    await expect.poll(() => both.map(({ dispatcher }) => dispatcher.stats().members), { timeout: 15_000 }).toEqual([2, 2]);
    const startedMs = performance.now();
    const arrivals: number[] = [];
    receiver.respond = (_request, response) => {
      arrivals.push(performance.now() - startedMs);
      response.writeHead(204).end();
    };
    await harness.emit(80);
    await receiver.until(80);
    // A burst of one second is allowed; the rest comes at 20 a second.
    expect(Math.max(...arrivals)).toBeGreaterThan(2500);
    expect(receiver.received).toHaveLength(80);
  });
});

describe('a backlog', () => {
  it('that waits only for this process is sent from memory, without rows', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 60);
    await harness.emit(400);
    let rows = 0;
    // Well above the time of one response on a busy machine, and well below the time of all of them.
    harness.start({ parkAfterMs: 1500, inFlightMax: 8 });
    while (receiver.ids.size < 400) {
      rows = Math.max(rows, (await harness.pending()).length);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await harness.caughtUp();
    expect(rows).toBe(0);
    expect(receiver.received).toHaveLength(400);
  });
});

describe('a takeover', () => {
  it('does not repeat deliveries recorded behind an unsettled one', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const userId = '0a000000-0000-4000-8000-0000000000aa';
    const shard = { userId };
    const first = harness.start({ parkAfterMs: 60_000 });
    // It owns the shards under a later epoch than the first, as after any takeover.
    await harness.emit(1, shard);
    await receiver.until(1);
    await harness.caughtUp();
    const hanging: (() => void)[] = [];
    receiver.respond = (_request, response) => {
      if (hanging.length === 0) return void hanging.push(() => response.writeHead(204).end());
      response.writeHead(204).end();
    };
    await harness.emit(1, shard);
    await receiver.until(2);
    await harness.emit(20, shard);
    await receiver.until(22);
    await expect.poll(async () => (await harness.attempts()).length).toBe(21);
    await first.crash();
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    harness.start();
    await harness.caughtUp();
    expect(receiver.received).toHaveLength(23);
    expect(await harness.attempts()).toHaveLength(22);
  });
});
