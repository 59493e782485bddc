import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { attemptOutcomes, updateEndpoint } from '@pulsewire/webhooks';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const idsOf = (events: readonly { readonly eventId: string }[]): string[] => events.map(({ eventId }) => `msg_${uuidToBase62(eventId)}`);

describe('an endpoint that rejects some messages', () => {
  it('is not treated as down: other messages do not wait, and each message is settled', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const poison = new Set<string>();
    receiver.respond = ({ id }, response) => void response.writeHead(poison.has(id) ? 500 : 204).end();
    const bad = await harness.emit(60);
    for (const id of idsOf(bad)) poison.add(id);
    harness.start({ scheduleMs: [0, ...Array.from({ length: 6 }, () => 200)] });
    await receiver.until(1);
    // Good messages continue throughout, each after the previous one has arrived.
    let rounds = 0;
    for (; rounds < 20 || (await harness.pending()).length > 0; rounds++) {
      const good = idsOf(await harness.emit(1));
      await receiver.untilTrue(() => good.every((id) => receiver.ids.has(id)));
    }
    await harness.caughtUp();
    const ends = (await harness.attempts()).filter((row) => row.outcome !== attemptOutcomes.failed);
    expect(ends.filter((row) => row.outcome === attemptOutcomes.exhausted).map((row) => row.event_id)).toHaveLength(60);
    expect(new Set(ends.map((row) => row.event_id)).size).toBe(60 + rounds);
  });

  it('of one type do not delay those of another type, however many there are', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = ({ body }, response) => {
      const { event_type: type } = JSON.parse(body) as { event_type: string };
      response.writeHead(type === 'daily.data.activity.created' ? 500 : 204).end();
    };
    // All of one shard, so that they stay in order: rejected messages are at both ends of the queue, live or as rows.
    const userId = uuidv7();
    harness.start();
    await harness.emit(60, { userId });
    const good = await harness.emit(5, { userId, eventType: 'provider.connection.created', data: { id: uuidv7() } });
    await harness.emit(300, { userId });
    await receiver.untilTrue(() => idsOf(good).every((id) => receiver.ids.has(id)));
    const isGood = new Set(good.map(({ eventId }) => eventId));
    await expect
      .poll(async () => (await harness.attempts()).filter((row) => isGood.has(row.event_id)).map((row) => row.outcome))
      .toEqual(good.map(() => attemptOutcomes.delivered));
    // Waiting messages would otherwise take minutes, so a generous deadline for a busy machine is still conclusive.
  }, 60_000);

  it('is not treated as down for aborting messages, however many', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = (_request, response) => void response.writeHead(422, { 'webhook-delivery': 'abort-message' }).end();
    harness.start();
    await harness.emit(40);
    await harness.caughtUp();
    expect(receiver.received).toHaveLength(40);
    expect((await harness.attempts()).every((row) => row.outcome === attemptOutcomes.exhausted)).toBe(true);
  });
});

describe('an endpoint that was down', () => {
  it('is retried at once at a new address, without the pause that the former address requested', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const moved = await harness.receiver();
    receiver.respond = (_request, response) => void response.writeHead(503, { 'retry-after': '250' }).end();
    harness.start({ scheduleMs: [0, 60_000] });
    await harness.emit(1, { userId: uuidv7() });
    await receiver.until(1);
    await harness.caughtUp();
    await updateEndpoint(harness.context, harness.teamId, endpointId, { url: moved.url });
    const later = idsOf(await harness.emit(5));
    await moved.receiver.until(5);
    expect([...moved.receiver.ids].toSorted()).toEqual(later.toSorted());
  });
});
