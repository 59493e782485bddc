import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7, type Clock } from '@pulsewire/kernel';
import { attemptOutcomes, countReplay, getMessage } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const dayMs = 86_400_000;
const idOf = ({ eventId }: { readonly eventId: string }): string => `msg_${uuidToBase62(eventId)}`;

/** A clock with an offset. */
const shifted = (ms: number): Clock => ({ now: () => new Date(Date.now() + ms), monotonicMs: () => performance.now() });
const sinceMidnightMs = (): number => Date.now() % dayMs;
const wholeHour = { since: new Date(Date.now() - 3_600_000), until: null, userId: null, eventTypes: null };

describe('a dispatcher whose clock differs from that of the database', () => {
  it.each([
    ['has not reached the midnight that the log has passed', () => -sinceMidnightMs() - 1000],
    ['reaches midnight long before the log', () => dayMs - sinceMidnightMs() - 1000],
  ])('%s: attempts of both days are found again, and nothing is sent twice', { timeout: 60_000 }, async (_name, shiftMs) => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    // All of one shard, so that the hanging first delivery keeps the position before all others.
    const shard = { userId: uuidv7() };
    const settled = harness.start();
    await harness.emit(1, shard);
    await receiver.until(1);
    await harness.caughtUp();
    await settled.stop();
    receiver.received.length = 0;

    const hung = new Set<string>();
    let failsOnce = true;
    receiver.respond = ({ id }, response) => {
      if (hung.size === 0) hung.add(id);
      if (hung.has(id)) return;
      response.writeHead(failsOnce ? 400 : 204).end();
      failsOnce = false;
    };
    const skewed = harness.start({ parkAfterMs: 60_000, scheduleMs: [0, 200] }, { clock: shifted(shiftMs()) });
    const events = await harness.emit(1, shard);
    await receiver.until(1);
    const days = async () =>
      (await file.current.sql`SELECT FROM webhook_attempts WHERE event_id = ANY(${others()}::uuid[]) GROUP BY day`).count;
    const others = () => events.slice(1).map(({ eventId }) => eventId);
    while ((await days()) < 2) {
      events.push(...(await harness.emit(1, shard)));
      await receiver.until(events.length);
    }
    // The retry of the one that failed came by the schedule, whatever the clocks show.
    const delivered = async () =>
      (await harness.attempts()).filter((row) => others().includes(row.event_id) && row.outcome === attemptOutcomes.delivered).length;
    await expect.poll(delivered).toBe(others().length);
    const stray = await file.current.sql`SELECT FROM webhook_attempts_default`;
    expect(stray).toHaveLength(0);
    await skewed.crash();

    receiver.received.length = 0;
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    harness.start();
    await harness.caughtUp();
    expect(receiver.received.map(({ id }) => id)).toEqual([...hung]);
    expect(await harness.pending()).toEqual([]);
    for (const selection of ['missing', 'failed', 'undelivered'] as const)
      expect((await countReplay(harness.context, harness.teamId, endpointId, { ...wholeHour, selection })).messages).toBe(0);
    for (const event of events) {
      const message = await getMessage({ ...harness.context, findProvider: () => undefined }, harness.teamId, idOf(event));
      expect(message.deliveries).toMatchObject([{ webhook_id: endpointId, status: 'succeeded' }]);
    }
  });

  it('counts failures since a time by the clock of the log', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(422, { 'webhook-delivery': 'abort-message' }).end();
    harness.start({}, { clock: shifted(-5000) });
    const since = new Date(Date.now() - 1000);
    await harness.emit(3);
    await receiver.until(3);
    await harness.caughtUp();
    const request = { ...wholeHour, since, selection: 'failed' } as const;
    expect(await countReplay(harness.context, harness.teamId, endpointId, request)).toEqual({ messages: 3, exact: true });
  });
});
