import { describe, expect, it } from 'vitest';
import { buildMessages, createBodyContext, type Message } from '../../model/body.ts';
import { endpoint, logEvent } from '../../testing/samples.ts';
import { Circuit } from './circuit.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { EndpointQueues } from './endpoint-queues.ts';
import { newDelivery } from '../delivery/new-delivery.ts';
import { parkDelivery } from '../delivery/delivery-state.ts';
import type { Delivery, WindowEntry } from '../delivery/delivery.ts';

// Four places at the start: a sixteenth of what may be.
const limits = { inFlightMax: 64, slowAfterMs: 1000, attemptMsMax: 100 };
const [message] = buildMessages(
  logEvent(),
  [],
  createBodyContext(() => undefined),
) as [Message];
const entry: WindowEntry = {
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
    row: { lane: 'replay', isOrdered: false, replayId: null },
  });
const makeLane = (fields = {}): EndpointQueue => new EndpointQueue(endpoint(fields), limits, new Circuit(() => 0.5));

const firstFailure = (nowMs: number) => ({ startedAtMs: nowMs, nowMs, isRepeat: false });

function startAll(lane: EndpointQueue, nowMs: number): Delivery[] {
  const started: Delivery[] = [];
  for (let one = lane.next(nowMs); one !== undefined; one = lane.next(nowMs)) {
    lane.started(one, nowMs);
    started.push(one);
  }
  return started;
}

describe('EndpointQueue', () => {
  it('starts no more than its limit, and goes on as places come free', () => {
    const lane = makeLane();
    for (let i = 0; i < 6; i++) lane.enqueue(live());
    const started = startAll(lane, 0);
    expect(started).toHaveLength(4);
    lane.ended(started[0] as Delivery);
    expect(startAll(lane, 0)).toHaveLength(1);
  });

  it('puts live events first and still leaves retries a share', () => {
    const lane = makeLane();
    for (let i = 0; i < 8; i++) {
      lane.enqueue(live());
      lane.enqueue(retry());
    }
    const started = startAll(lane, 0);
    expect(started.filter((one) => one.entry === null)).toHaveLength(1);
    expect(started.filter((one) => one.entry !== null)).toHaveLength(3);
  });

  it('puts live events first also where places come one at a time: with a rate limit, or at an endpoint that bears one', () => {
    const lane = makeLane({ rateLimit: 1 });
    const started: string[] = [];
    for (let second = 0; second < 64; second++) {
      for (const one of [live(), retry(), replay()]) lane.enqueue(one);
      for (const one of startAll(lane, second * 1000)) {
        started.push(one.lane);
        lane.ended(one);
      }
    }
    const count = (kind: string) => started.filter((one) => one === kind).length;
    expect(started).toHaveLength(64);
    expect([count('replay'), count('retry')]).toEqual([4, 16]);
  });

  it('passes over what was parked meanwhile, and over rows whose lease is nearly over', () => {
    const lane = makeLane();
    const [parked, late, good] = [live(), retry(endpoint(), 1050), live()];
    parkDelivery(parked);
    lane.enqueue(parked);
    lane.enqueue(late);
    lane.enqueue(good);
    expect(startAll(lane, 1000)).toEqual([good]);
    expect(late.state).toBe('dropped');
  });

  it('refuses live events when it is full of attempts that do not end', () => {
    const lane = makeLane();
    for (let i = 0; i < 4; i++) lane.enqueue(live());
    startAll(lane, 0);
    expect(lane.refusesLive(900)).toBe(false);
    expect(lane.refusesLive(1100)).toBe(true);
    expect(lane.room('retry', 1100)).toBe(0);
  });

  it('lets a few probes through after a row of failures, and everything after a success', () => {
    const lane = makeLane();
    for (let i = 0; i < 10; i++) lane.circuit.failed(firstFailure(0));
    expect(lane.refusesLive(100)).toBe(true);
    expect(lane.room('retry', 100)).toBe(0);
    expect(lane.room('retry', 1000)).toBe(4);
    for (let i = 0; i < 3; i++) lane.circuit.failed(firstFailure(1000));
    expect(lane.room('retry', 1000)).toBe(1);
    lane.enqueue(retry());
    lane.enqueue(retry());
    expect(startAll(lane, 1000)).toHaveLength(1);
    lane.circuit.succeeded(1000);
    expect(startAll(lane, 1000)).toHaveLength(1);
    expect(lane.refusesLive(1000)).toBe(false);
  });

  it('keeps to the rate limit, with at most a second saved up', () => {
    const lane = makeLane({ rateLimit: 2 });
    for (let i = 0; i < 9; i++) lane.enqueue(live());
    const finish = (nowMs: number) => startAll(lane, nowMs).map((one) => lane.ended(one)).length;
    expect([finish(0), finish(400), finish(500), finish(10_000), finish(10_100)]).toEqual([2, 0, 1, 2, 0]);
  });

  it('starts nothing once its endpoint is gone, until it is back', () => {
    const lane = makeLane();
    lane.enqueue(live());
    lane.retire();
    expect([startAll(lane, 0).length, lane.refusesLive(0), lane.room('retry', 0)]).toEqual([0, true, 0]);
    lane.update(endpoint(), 1);
    expect(startAll(lane, 0)).toHaveLength(1);
  });
});

describe('A lane that starts nothing', () => {
  it('gives its retries back and forgets what was parked, when its endpoint is gone', () => {
    const held = { retry: 0, replay: 0 };
    const lane = new EndpointQueue(endpoint(), limits, new Circuit(), held);
    const [parked, waiting, row] = [live(), live(), retry()];
    parkDelivery(parked);
    lane.enqueue(parked);
    lane.enqueue(waiting);
    lane.enqueue(row);
    expect([lane.releaseClaims(0), held.retry]).toEqual([[], 1]);
    lane.retire();
    expect([lane.releaseClaims(0), held.retry]).toEqual([[row], 0]);
    parkDelivery(waiting);
    lane.releaseClaims(0);
    expect(lane.isIdle).toBe(true);
  });

  it('gives its retries back while its circuit is open', () => {
    const lane = makeLane();
    const row = retry();
    lane.enqueue(row);
    for (let i = 0; i < 10; i++) lane.circuit.failed(firstFailure(0));
    expect(lane.releaseClaims(100)).toEqual([row]);
  });

  it('forgets what was parked at its head also while it may start something: a rate limit would keep its bodies for ever', () => {
    const lane = makeLane({ rateLimit: 1 });
    for (let i = 0; i < 100; i++) {
      const parked = live();
      lane.enqueue(parked);
      parkDelivery(parked);
    }
    expect(lane.releaseClaims(0)).toEqual([]);
    expect(lane.isIdle).toBe(true);
  });

  it('goes on at once when its endpoint has another address, or is enabled again: what was learnt before is forgotten', () => {
    const lane = makeLane();
    const spoil = () => {
      for (let i = 0; i < 10; i++) lane.circuit.failed(firstFailure(0));
      lane.limiter.rest(0, 0, 60_000);
    };
    spoil();
    lane.update(endpoint({ rateLimit: 5 }), 1);
    expect(lane.refusesLive(10)).toBe(true);
    lane.update(endpoint({ url: 'https://example.org/new' }), 1);
    expect([lane.refusesLive(10), lane.room('retry', 10) > 0]).toEqual([false, true]);
    spoil();
    lane.retire();
    lane.update(endpoint({ url: 'https://example.org/new' }), 1);
    expect(lane.refusesLive(10)).toBe(false);
  });

  it('takes nothing while its endpoint is not readable, and goes on when it is', () => {
    const lane = makeLane({ isReadable: false });
    lane.enqueue(live());
    expect([startAll(lane, 0).length, lane.refusesLive(0), lane.room('retry', 0)]).toEqual([0, true, 0]);
    lane.update(endpoint(), 1);
    expect(startAll(lane, 0)).toHaveLength(1);
  });
});

describe('EndpointQueues', () => {
  it('leave places for others when endpoints hang: a lane takes no more than it leaves free', () => {
    const started: string[] = [];
    const lanes = new EndpointQueues({
      ...limits,
      inFlightMax: 128,
      inFlightTotalMax: 16,
      hostInFlightMax: 1024,
      nowMs: () => 0,
      start: (delivery) => void started.push(delivery.endpoint.endpointId),
    });
    for (const endpointId of ['hanging-1', 'hanging-2', 'hanging-3', 'good']) {
      const one = endpoint({ endpointId });
      for (let i = 0; i < 20; i++) lanes.of(one).enqueue(live(one));
      lanes.pump(lanes.of(one));
    }
    expect(started.filter((endpointId) => endpointId === 'hanging-1')).toHaveLength(8);
    expect(started).toContain('good');
    expect(lanes.inFlight).toBeLessThan(16);
  });

  it('share scarce places in turn: a busy endpoint does not take every free one', () => {
    const started: string[] = [];
    const open: [Delivery, EndpointQueue][] = [];
    const lanes = new EndpointQueues({
      ...limits,
      inFlightTotalMax: 2,
      hostInFlightMax: 1024,
      nowMs: () => 0,
      start(delivery, lane) {
        started.push(delivery.endpoint.endpointId);
        open.push([delivery, lane]);
      },
    });
    const [busy, quiet] = [endpoint({ endpointId: 'busy' }), endpoint({ endpointId: 'quiet' })];
    for (const [one, count] of [
      [busy, 6],
      [quiet, 2],
    ] as const) {
      for (let i = 0; i < count; i++) lanes.of(one).enqueue(live(one));
      lanes.pump(lanes.of(one));
    }
    expect(started).toEqual(['busy', 'quiet']);
    for (let next = open.shift(); next !== undefined; next = open.shift()) lanes.ended(...next);
    expect(started.slice(2, 4).toSorted()).toEqual(['busy', 'quiet']);
    expect(started).toHaveLength(8);
    expect(lanes.inFlight).toBe(0);
  });
});
