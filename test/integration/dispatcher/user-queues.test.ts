import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { shardOf, type NewEvent } from '@pulsewire/eventlog';
import { attemptOutcomes } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { useHarness, type Harness } from './harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const idOf = ({ eventId }: NewEvent): string => `msg_${uuidToBase62(eventId)}`;

async function orderedEndpoint(harness: Harness, skipSuperseded = false) {
  const made = await harness.endpoint();
  await file.current.sql`
    UPDATE webhook_endpoints SET ordering = 'per_user', skip_superseded = ${skipSuperseded} WHERE endpoint_id = ${made.endpointId}`;
  return made;
}

describe('a user queue that has lost its first row', () => {
  it('is found and resumed in order; queues that wait for their first delivery are unchanged', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness);
    const [stuck, other, waits] = [uuidv7(), uuidv7(), uuidv7()];
    receiver.respond = (_request, response) => void response.writeHead(400).end();
    const first = harness.start({ scheduleMs: [0, 600_000] });
    const sent = new Map<string, NewEvent[]>();
    for (const userId of [stuck, other, waits]) sent.set(userId, await harness.emit(3, { userId }));
    await receiver.until(3);
    await harness.caughtUp();
    await first.stop();
    // As a concurrent erasure and record may leave it.
    await file.current.sql`DELETE FROM webhook_pending WHERE user_id IN (${stuck}, ${other}) AND due_at < 'infinity'`;

    receiver.received.length = 0;
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    harness.start({ scheduleMs: [0, 600_000] });
    await receiver.until(4);
    await expect.poll(async () => (await harness.pending()).length).toBe(3);
    for (const userId of [stuck, other]) {
      const ids = (sent.get(userId) ?? []).slice(1).map(idOf);
      expect(receiver.received.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
    }
    expect(receiver.received).toHaveLength(4);
  });
});

describe('with skip_superseded', () => {
  it('only a summary of the same user supersedes another, even when ids are equal', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness, true);
    const one = uuidv7();
    let other = uuidv7();
    while (shardOf(other) !== shardOf(one)) other = uuidv7();
    const id = uuidv7();
    const summary = (userId: string, of = id) => ({ userId, data: { id: of, user_id: userId } });
    receiver.respond = (_request, response) => void response.writeHead(400).end();
    harness.start({ scheduleMs: [0, ...Array.from({ length: 40 }, () => 150)] });
    // One is held behind another summary of its user, while the later one of the other user keeps failing.
    const events = [...(await harness.emit(1, summary(one, uuidv7()))), ...(await harness.emit(1, summary(one)))];
    events.push(...(await harness.emit(1, summary(other))));
    await receiver.untilTrue(() => receiver.ids.size === 2 && receiver.received.length > 6);
    await harness.caughtUp();
    const takes = new Set(events.slice(0, 2).map(idOf));
    receiver.respond = (request, response) => void response.writeHead(takes.has(request.id) ? 204 : 400).end();
    await expect.poll(async () => (await harness.pending()).length).toBe(1);
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    await expect.poll(async () => (await harness.pending()).length).toBe(0);
    const outcomes = (await harness.attempts()).filter((row) => row.outcome !== attemptOutcomes.failed);
    expect(new Map(outcomes.map((row) => [row.event_id, row.outcome]))).toEqual(
      new Map(events.map(({ eventId }) => [eventId, attemptOutcomes.delivered])),
    );
  });
});
