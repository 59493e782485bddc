import { describe, expect, it } from 'vitest';
import { buildMessages, createBodyContext, type Message } from '../../bodies/body.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { newDelivery } from '../delivery/new-delivery.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import { EndpointQueues } from './endpoint-queues.ts';
import { rotateTeams } from './rotate-teams.ts';
import { endpoint, logEvent } from '../../testing/samples.ts';

const [message] = buildMessages(
  logEvent(),
  [],
  createBodyContext(() => undefined),
) as [Message];
const many = Array.from({ length: 200 }, (_, index) => endpoint({ endpointId: `big-${index}`, teamId: 'big' }));
const one = endpoint({ endpointId: 'small', teamId: 'small' });

function createHarness(inFlightTotalMax: number) {
  const started: string[] = [];
  const open: [Delivery, EndpointQueue][] = [];
  const queues = new EndpointQueues({
    inFlightMax: 1024,
    slowAfterMs: 1000,
    attemptMsMax: 100,
    inFlightTotalMax,
    hostInFlightMax: 1024,
    nowMs: () => 0,
    start(delivery, queue) {
      started.push(delivery.endpoint.endpointId);
      open.push([delivery, queue]);
    },
  });
  const enqueue = (to: typeof one, count: number) => {
    for (let i = 0; i < count; i++)
      queues.of(to).enqueue(newDelivery({ endpoint: to, event: logEvent(), message, entry: null, attempts: 1 }));
    queues.pump(queues.of(to));
  };
  return { started, open, queues, enqueue };
}

describe('free places', () => {
  it('are granted to teams round-robin, so many endpoints of one team do not starve another', () => {
    const { started, open, queues, enqueue } = createHarness(8);
    for (const other of many) enqueue(other, 4);
    enqueue(one, 40);
    started.length = 0;
    for (let ended = 0; ended < 40; ended++) {
      const next = open.shift();
      if (next) queues.ended(...next);
    }
    expect(started.filter((id) => id === 'small').length).toBeGreaterThanOrEqual(8);
    expect(started.some((id) => id.startsWith('big'))).toBe(true);
  });

  it('go to every waiting endpoint of a team, as they become free', () => {
    const { started, open, queues, enqueue } = createHarness(8);
    for (const other of many.slice(0, 20)) enqueue(other, 2);
    for (let next = open.shift(); next !== undefined; next = open.shift()) queues.ended(...next);
    expect(started).toHaveLength(40);
  });

  it('remain for other teams when all endpoints of one team hang', () => {
    const { started, enqueue, queues } = createHarness(64);
    for (const other of many) enqueue(other, 4);
    expect(queues.inFlight).toBeLessThan(64);
    enqueue(one, 10);
    expect(started.filter((id) => id === 'small').length).toBeGreaterThan(3);
  });
});

describe('due endpoints', () => {
  it('are rotated by team', () => {
    expect(rotateTeams([...many, one]).indexOf(one)).toBe(1);
    expect(rotateTeams([...many, one])).toHaveLength(201);
  });
});
