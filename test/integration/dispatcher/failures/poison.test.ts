import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { attemptOutcomes, updateEndpoint } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const file = useDatabase();
const harness = useHarness(file);
const idsOf = (events: readonly { readonly eventId: string }[]): string[] => events.map(({ eventId }) => `msg_${uuidToBase62(eventId)}`);

describe('an endpoint that rejects some messages', () => {
  it('is not treated as down: other messages do not wait, and each message is settled', async () => {
    const w = await harness();
    const { receiver } = await w.endpoint();
    const poison = new Set<string>();
    receiver.answer = ({ id }, response) => void response.writeHead(poison.has(id) ? 500 : 204).end();
    const bad = await w.emit(60);
    for (const id of idsOf(bad)) poison.add(id);
    w.start({ scheduleMs: [0, ...Array.from({ length: 6 }, () => 200)] });
    await receiver.until(1);
    // Good messages continue throughout, each after the previous one has arrived.
    let rounds = 0;
    for (; rounds < 20 || (await w.pending()).length > 0; rounds++) {
      const good = idsOf(await w.emit(1));
      await receiver.untilTrue(() => good.every((id) => receiver.ids.has(id)));
    }
    await w.caughtUp();
    const ends = (await w.attempts()).filter((row) => row.outcome !== attemptOutcomes.failed);
    expect(ends.filter((row) => row.outcome === attemptOutcomes.exhausted).map((row) => row.event_id)).toHaveLength(60);
    expect(new Set(ends.map((row) => row.event_id)).size).toBe(60 + rounds);
  });

  it('of one type do not delay those of another type, however many there are', async () => {
    const w = await harness();
    const { receiver } = await w.endpoint();
    receiver.answer = ({ body }, response) => {
      const { event_type: type } = JSON.parse(body) as { event_type: string };
      response.writeHead(type === 'daily.data.activity.created' ? 500 : 204).end();
    };
    // All of one shard, so that they stay in order: rejected messages are at both ends of the queue, live or as rows.
    const userId = uuidv7();
    w.start();
    await w.emit(60, { userId });
    const good = await w.emit(5, { userId, eventType: 'provider.connection.created', data: { id: uuidv7() } });
    await w.emit(300, { userId });
    await receiver.untilTrue(() => idsOf(good).every((id) => receiver.ids.has(id)));
    const isGood = new Set(good.map(({ eventId }) => eventId));
    await expect
      .poll(async () => (await w.attempts()).filter((row) => isGood.has(row.event_id)).map((row) => row.outcome))
      .toEqual(good.map(() => attemptOutcomes.delivered));
    // Waiting messages would otherwise take minutes, so a generous deadline for a busy machine is still conclusive.
  }, 60_000);

  it('with abort-message does not count as down, however many it rejects', async () => {
    const w = await harness();
    const { receiver } = await w.endpoint();
    receiver.answer = (_request, response) => void response.writeHead(422, { 'webhook-delivery': 'abort-message' }).end();
    w.start();
    await w.emit(40);
    await w.caughtUp();
    expect(receiver.received).toHaveLength(40);
    expect((await w.attempts()).every((row) => row.outcome === attemptOutcomes.exhausted)).toBe(true);
  });
});

describe('an endpoint that was down', () => {
  it('is retried at once at a new address, without the pause that the former address requested', async () => {
    const w = await harness();
    const { receiver, endpointId } = await w.endpoint();
    const moved = await w.receiver();
    receiver.answer = (_request, response) => void response.writeHead(503, { 'retry-after': '250' }).end();
    w.start({ scheduleMs: [0, 60_000] });
    await w.emit(1, { userId: uuidv7() });
    await receiver.until(1);
    await w.caughtUp();
    await updateEndpoint(w.context, w.teamId, endpointId, { url: moved.url });
    const later = idsOf(await w.emit(5));
    await moved.receiver.until(5);
    expect([...moved.receiver.ids].toSorted()).toEqual(later.toSorted());
  });
});
