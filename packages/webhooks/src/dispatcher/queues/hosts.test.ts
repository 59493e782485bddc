import { describe, expect, it } from 'vitest';
import { buildMessages, createBodyContext, type Message } from '../../bodies/body.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { newDelivery } from '../delivery/new-delivery.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import { EndpointQueues } from './endpoint-queues.ts';
import { endpoint, logEvent } from '../../testing/samples.ts';

const [message] = buildMessages(
  logEvent(),
  [],
  createBodyContext(() => undefined),
) as [Message];
const at = (teamId: string, name: string, origin = 'https://shared.test') => endpoint({ endpointId: `${teamId}-${name}`, teamId, origin });

function createHarness(hostInFlightMax: number) {
  const open: [Delivery, EndpointQueue][] = [];
  const started: string[] = [];
  const queues = new EndpointQueues({
    inFlightMax: 1024,
    slowAfterMs: 1000,
    attemptMsMax: 100,
    inFlightTotalMax: 2048,
    hostInFlightMax,
    nowMs: () => 0,
    start(delivery, queue) {
      started.push(queue.endpoint.teamId);
      open.push([delivery, queue]);
    },
  });
  const enqueue = (to: ReturnType<typeof endpoint>, count: number) => {
    for (let i = 0; i < count; i++)
      queues.of(to).enqueue(newDelivery({ endpoint: to, event: logEvent(), message, entry: null, attempts: 1 }));
    queues.pump(queues.of(to));
  };
  const endAll = () => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) queues.ended(...next);
  };
  return { queues, open, started, enqueue, endAll };
}

describe('a host', () => {
  it('never exceeds its bound of concurrent attempts, whatever the number of teams', () => {
    const { queues, started, enqueue, endAll } = createHarness(32);
    for (let team = 0; team < 100; team++) enqueue(at(`team-${team}`, 'a'), 5);
    expect(queues.inFlight).toBeLessThanOrEqual(32);
    enqueue(at('elsewhere', 'a', 'https://other.test'), 3);
    expect(started.filter((team) => team === 'elsewhere')).toHaveLength(3);
    endAll();
    expect(started).toHaveLength(503);
  });

  it('limits a team with many endpoints to the same share as a team with one', () => {
    const { started, open, queues, enqueue } = createHarness(32);
    for (let i = 0; i < 50; i++) enqueue(at('many', `${i}`), 10);
    expect(started.length).toBeLessThanOrEqual(16);
    enqueue(at('one', 'a'), 200);
    started.length = 0;
    for (let ended = 0; ended < 100; ended++) queues.ended(...(open.shift() as [Delivery, EndpointQueue]));
    expect(started.filter((team) => team === 'one').length).toBeGreaterThanOrEqual(40);
  });

  it('shares its bound among dispatchers', () => {
    const { queues, enqueue } = createHarness(32);
    queues.shareWith(4, new Map());
    for (let team = 0; team < 100; team++) enqueue(at(`team-${team}`, 'a'), 5);
    expect(queues.inFlight).toBe(8);
  });

  it('reclaims the places of attempts whose endpoint moved to another host', () => {
    const { queues, enqueue, endAll } = createHarness(4);
    enqueue(at('a', '1'), 2);
    const moved = at('a', '1', 'https://other.test');
    queues.sync(new Map([[moved.endpointId, moved]]));
    endAll();
    for (let team = 0; team < 10; team++) enqueue(at(`team-${team}`, 'a'), 1);
    expect(queues.inFlight).toBe(4);
  });

  it('has no bound for loopback', () => {
    const { queues, enqueue } = createHarness(4);
    for (let team = 0; team < 20; team++) enqueue(at(`team-${team}`, 'a', 'http://127.0.0.1:9000'), 1);
    expect(queues.inFlight).toBe(20);
  });
});
