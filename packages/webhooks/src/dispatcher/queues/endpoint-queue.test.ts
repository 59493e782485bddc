import { describe, expect, it } from 'vitest';
import { buildMessages, createBodyContext, type Message } from '../../bodies/body.ts';
import { parkDelivery } from '../delivery/delivery-state.ts';
import type { Delivery, UnrecordedEvent } from '../delivery/delivery.ts';
import { newDelivery } from '../delivery/new-delivery.ts';
import { Circuit } from './circuit.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { EndpointQueues } from './endpoint-queues.ts';
import { endpoint, logEvent } from '../../testing/samples.ts';

// Four places initially: a sixteenth of the maximum.
const limits = { inFlightMax: 64, slowAfterMs: 1000, attemptMsMax: 100 };
const [message] = buildMessages(
  logEvent(),
  [],
  createBodyContext(() => undefined),
) as [Message];
const entry: UnrecordedEvent = {
  shard: 1,
  epoch: 1,
  offset: 1,
  day: '2026-01-04',
  bytes: 1,
  acceptedAtMs: 0,
  open: 1,
  deliveries: [],
  isDropped: false,
};
const live = (one = endpoint()): Delivery => newDelivery({ endpoint: one, event: logEvent(), message, entry, attempts: 0 });
const retry = (one = endpoint(), leaseEndsAtMs = Infinity): Delivery =>
  newDelivery({ endpoint: one, event: logEvent(), message, entry: null, attempts: 1, leaseEndsAtMs });
const replay = (one = endpoint()): Delivery =>
  newDelivery({
    endpoint: one,
    event: logEvent(),
    message,
    entry: null,
    attempts: 0,
    row: { kind: 'replay', isOrdered: false, replayId: null },
  });
const makeQueue = (fields = {}): EndpointQueue => new EndpointQueue(endpoint(fields), limits, new Circuit(() => 0.5));

const firstFailure = (nowMs: number) => ({ startedAtMs: nowMs, nowMs, isRepeat: false });

function startAll(queue: EndpointQueue, nowMs: number): Delivery[] {
  const started: Delivery[] = [];
  for (let one = queue.next(nowMs); one !== undefined; one = queue.next(nowMs)) {
    queue.started(one, nowMs);
    started.push(one);
  }
  return started;
}

describe('EndpointQueue', () => {
  it('starts no more than its limit, and continues as places become free', () => {
    const queue = makeQueue();
    for (let i = 0; i < 6; i++) queue.enqueue(live());
    const started = startAll(queue, 0);
    expect(started).toHaveLength(4);
    queue.ended(started[0] as Delivery);
    expect(startAll(queue, 0)).toHaveLength(1);
  });

  it('prefers live events and still reserves a share for retries', () => {
    const queue = makeQueue();
    for (let i = 0; i < 8; i++) {
      queue.enqueue(live());
      queue.enqueue(retry());
    }
    const started = startAll(queue, 0);
    expect(started.filter((one) => one.entry === null)).toHaveLength(1);
    expect(started.filter((one) => one.entry !== null)).toHaveLength(3);
  });

  it('prefers live events even when places become free one at a time', () => {
    const queue = makeQueue({ rateLimit: 1 });
    const started: string[] = [];
    for (let second = 0; second < 64; second++) {
      for (const one of [live(), retry(), replay()]) queue.enqueue(one);
      for (const one of startAll(queue, second * 1000)) {
        started.push(one.kind);
        queue.ended(one);
      }
    }
    const count = (kind: string) => started.filter((one) => one === kind).length;
    expect(started).toHaveLength(64);
    expect([count('replay'), count('retry')]).toEqual([4, 16]);
  });

  it('skips parked deliveries and rows whose lease is about to expire', () => {
    const queue = makeQueue();
    const [parked, late, good] = [live(), retry(endpoint(), 1050), live()];
    parkDelivery(parked);
    queue.enqueue(parked);
    queue.enqueue(late);
    queue.enqueue(good);
    expect(startAll(queue, 1000)).toEqual([good]);
    expect(late.state).toBe('dropped');
  });

  it('rejects live events when it is full of hanging attempts', () => {
    const queue = makeQueue();
    for (let i = 0; i < 4; i++) queue.enqueue(live());
    startAll(queue, 0);
    expect(queue.refusesLive(900)).toBe(false);
    expect(queue.refusesLive(1100)).toBe(true);
    expect(queue.capacity('retry', 1100)).toBe(0);
  });

  it('allows a few probes after repeated failures, and everything after a success', () => {
    const queue = makeQueue();
    for (let i = 0; i < 10; i++) queue.circuit.failed(firstFailure(0));
    expect(queue.refusesLive(100)).toBe(true);
    expect(queue.capacity('retry', 100)).toBe(0);
    expect(queue.capacity('retry', 1000)).toBe(4);
    for (let i = 0; i < 3; i++) queue.circuit.failed(firstFailure(1000));
    expect(queue.capacity('retry', 1000)).toBe(1);
    queue.enqueue(retry());
    queue.enqueue(retry());
    expect(startAll(queue, 1000)).toHaveLength(1);
    queue.circuit.succeeded(1000);
    expect(startAll(queue, 1000)).toHaveLength(1);
    expect(queue.refusesLive(1000)).toBe(false);
  });

  it('respects the rate limit, with a burst of at most one second', () => {
    const queue = makeQueue({ rateLimit: 2 });
    for (let i = 0; i < 9; i++) queue.enqueue(live());
    const finish = (nowMs: number) => startAll(queue, nowMs).map((one) => queue.ended(one)).length;
    expect([finish(0), finish(400), finish(500), finish(10_000), finish(10_100)]).toEqual([2, 0, 1, 2, 0]);
  });

  it('starts nothing once its endpoint is removed, until it is restored', () => {
    const queue = makeQueue();
    queue.enqueue(live());
    queue.retire();
    expect([startAll(queue, 0).length, queue.refusesLive(0), queue.capacity('retry', 0)]).toEqual([0, true, 0]);
    queue.update(endpoint(), 1);
    expect(startAll(queue, 0)).toHaveLength(1);
  });
});

describe('An endpoint queue that starts nothing', () => {
  it('returns retries and drops parked deliveries when its endpoint is removed', () => {
    const held = { retry: 0, replay: 0 };
    const queue = new EndpointQueue(endpoint(), limits, new Circuit(), held);
    const [parked, waiting, row] = [live(), live(), retry()];
    parkDelivery(parked);
    queue.enqueue(parked);
    queue.enqueue(waiting);
    queue.enqueue(row);
    expect([queue.releaseClaims(0), held.retry]).toEqual([[], 1]);
    queue.retire();
    expect([queue.releaseClaims(0), held.retry]).toEqual([[row], 0]);
    parkDelivery(waiting);
    queue.releaseClaims(0);
    expect(queue.isIdle).toBe(true);
  });

  it('returns its retries while its circuit is open', () => {
    const queue = makeQueue();
    const row = retry();
    queue.enqueue(row);
    for (let i = 0; i < 10; i++) queue.circuit.failed(firstFailure(0));
    expect(queue.releaseClaims(100)).toEqual([row]);
  });

  it('drops parked deliveries at its head while it may start others, so that bodies are freed', () => {
    const queue = makeQueue({ rateLimit: 1 });
    for (let i = 0; i < 100; i++) {
      const parked = live();
      queue.enqueue(parked);
      parkDelivery(parked);
    }
    expect(queue.releaseClaims(0)).toEqual([]);
    expect(queue.isIdle).toBe(true);
  });

  it('forgets failures and rests when its endpoint gets another address or is enabled again', () => {
    const queue = makeQueue();
    const spoil = () => {
      for (let i = 0; i < 10; i++) queue.circuit.failed(firstFailure(0));
      queue.limiter.rest(0, 0, 60_000);
    };
    spoil();
    queue.update(endpoint({ rateLimit: 5 }), 1);
    expect(queue.refusesLive(10)).toBe(true);
    queue.update(endpoint({ url: 'https://example.org/new' }), 1);
    expect([queue.refusesLive(10), queue.capacity('retry', 10) > 0]).toEqual([false, true]);
    spoil();
    queue.retire();
    queue.update(endpoint({ url: 'https://example.org/new' }), 1);
    expect(queue.refusesLive(10)).toBe(false);
  });

  it('accepts nothing while its endpoint is unreadable, and resumes afterwards', () => {
    const queue = makeQueue({ isReadable: false });
    queue.enqueue(live());
    expect([startAll(queue, 0).length, queue.refusesLive(0), queue.capacity('retry', 0)]).toEqual([0, true, 0]);
    queue.update(endpoint(), 1);
    expect(startAll(queue, 0)).toHaveLength(1);
  });
});

describe('EndpointQueues', () => {
  it('never occupy more places with a hanging endpoint than they leave free for others', () => {
    const started: string[] = [];
    const queues = new EndpointQueues({
      ...limits,
      inFlightMax: 128,
      inFlightTotalMax: 16,
      hostInFlightMax: 1024,
      nowMs: () => 0,
      start: (delivery) => void started.push(delivery.endpoint.endpointId),
    });
    for (const endpointId of ['hanging-1', 'hanging-2', 'hanging-3', 'good']) {
      const one = endpoint({ endpointId });
      for (let i = 0; i < 20; i++) queues.of(one).enqueue(live(one));
      queues.pump(queues.of(one));
    }
    expect(started.filter((endpointId) => endpointId === 'hanging-1')).toHaveLength(8);
    expect(started).toContain('good');
    expect(queues.inFlight).toBeLessThan(16);
  });

  it('share scarce places in rotation, so that a busy endpoint does not take every free one', () => {
    const started: string[] = [];
    const open: [Delivery, EndpointQueue][] = [];
    const queues = new EndpointQueues({
      ...limits,
      inFlightTotalMax: 2,
      hostInFlightMax: 1024,
      nowMs: () => 0,
      start(delivery, queue) {
        started.push(delivery.endpoint.endpointId);
        open.push([delivery, queue]);
      },
    });
    const [busy, quiet] = [endpoint({ endpointId: 'busy' }), endpoint({ endpointId: 'quiet' })];
    for (const [one, count] of [
      [busy, 6],
      [quiet, 2],
    ] as const) {
      for (let i = 0; i < count; i++) queues.of(one).enqueue(live(one));
      queues.pump(queues.of(one));
    }
    expect(started).toEqual(['busy', 'quiet']);
    for (let next = open.shift(); next !== undefined; next = open.shift()) queues.ended(...next);
    expect(started.slice(2, 4).toSorted()).toEqual(['busy', 'quiet']);
    expect(started).toHaveLength(8);
    expect(queues.inFlight).toBe(0);
  });
});
