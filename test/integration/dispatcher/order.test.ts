import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import type { NewEvent } from '@pulsewire/eventlog';
import { attemptOutcomes, resendMessage } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { useHarness, type Received, type Harness } from './harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const idOf = ({ eventId }: NewEvent): string => `msg_${uuidToBase62(eventId)}`;

async function orderedEndpoint(harness: Harness, fields: { skipSuperseded?: boolean } = {}) {
  const made = await harness.endpoint();
  await file.current.sql`
    UPDATE webhook_endpoints SET ordering = 'per_user', skip_superseded = ${fields.skipSuperseded ?? false} WHERE endpoint_id = ${made.endpointId}`;
  return made;
}

/** The given number of rounds with one event per user. */
async function emitRounds(harness: Harness, users: readonly string[], rounds: number): Promise<Map<string, string[]>> {
  const sent = new Map<string, string[]>(users.map((userId) => [userId, []]));
  for (let round = 0; round < rounds; round++)
    for (const userId of users) sent.get(userId)?.push(...(await harness.emit(1, { userId })).map(idOf));
  return sent;
}

/** Per user, the messages in order of first arrival. */
function firstSightings(received: readonly Received[]): Map<string, string[]> {
  const seen = new Set<string>();
  const byUser = new Map<string, string[]>();
  for (const { id, body } of received) {
    if (seen.has(id)) continue;
    seen.add(id);
    const { user_id: userId } = JSON.parse(body) as { user_id: string };
    byUser.set(userId, [...(byUser.get(userId) ?? []), id]);
  }
  return byUser;
}

const held = async (harness: Harness) => (await harness.pending()).length;

describe('an ordered endpoint', () => {
  it('gets one event of a user at a time, and events of other users concurrently', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness);
    const inFlight = new Map<string, number>();
    let most = 0;
    let together = 0;
    receiver.respond = ({ body }, response) => {
      const { user_id: userId } = JSON.parse(body) as { user_id: string };
      inFlight.set(userId, (inFlight.get(userId) ?? 0) + 1);
      most = Math.max(most, ...inFlight.values());
      together = Math.max(together, inFlight.size);
      setTimeout(() => {
        inFlight.set(userId, (inFlight.get(userId) ?? 0) - 1);
        if (inFlight.get(userId) === 0) inFlight.delete(userId);
        response.writeHead(204).end();
      }, 5);
    };
    const sent = await emitRounds(harness, [uuidv7(), uuidv7(), uuidv7()], 8);
    harness.start();
    await receiver.until(24);
    await harness.caughtUp();
    expect(most).toBe(1);
    expect(together).toBe(3);
    expect(firstSightings(receiver.received)).toEqual(sent);
    expect(await held(harness)).toBe(0);
  });

  it('keeps the order when a message is resent during its first attempt', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await orderedEndpoint(harness);
    const userId = uuidv7();
    const [first, next] = [...(await harness.emit(1, { userId })), ...(await harness.emit(1, { userId }))].map(idOf) as [string, string];
    const open: (() => void)[] = [];
    let isBroken = true;
    receiver.respond = (_request, response) => void open.push(() => void response.writeHead(isBroken ? 400 : 204).end());
    harness.start({ parkAfterMs: 10_000, scheduleMs: [0, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300] });
    await receiver.until(1);
    await resendMessage(harness.context, harness.teamId, endpointId, first);
    await receiver.untilTrue(() => receiver.received.length === 2);
    // The first attempt ends while the row of the resend is there.
    open.shift()?.();
    await expect.poll(async () => (await harness.attempts()).length).toBe(1);
    receiver.respond = (_request, response) => void response.writeHead(isBroken ? 400 : 204).end();
    open.shift()?.();
    await receiver.untilTrue(() => receiver.received.length >= 4);
    expect(receiver.ids.has(next)).toBe(false);
    isBroken = false;
    await receiver.until(2);
    expect(firstSightings(receiver.received).get(userId)).toEqual([first, next]);
  });

  it('holds back the later events of a user whose first one fails, and of no other', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness);
    const [bad, good] = [uuidv7(), uuidv7()];
    const sent = await emitRounds(harness, [bad, good], 5);
    const first = sent.get(bad)?.[0];
    let isBroken = true;
    receiver.respond = ({ id }, response) => void response.writeHead(isBroken && id === first ? 400 : 204).end();
    harness.start({ scheduleMs: [0, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300] });
    await receiver.untilTrue(() => receiver.ids.size === 6 && receiver.received.filter(({ id }) => id === first).length > 1);
    await harness.caughtUp();
    expect(firstSightings(receiver.received).get(good)).toEqual(sent.get(good));
    expect(firstSightings(receiver.received).get(bad)).toEqual([first]);
    // New events queue behind the others without an attempt.
    sent.get(bad)?.push(...(await harness.emit(1, { userId: bad })).map(idOf));
    await harness.caughtUp();
    const rows = await file.current.sql<
      { is_held: boolean }[]
    >`SELECT due_at = 'infinity' AS is_held FROM webhook_pending ORDER BY "offset"`;
    expect(rows.map((row) => row.is_held)).toEqual([false, true, true, true, true, true]);
    isBroken = false;
    await receiver.untilTrue(() => receiver.ids.size === 11);
    expect(firstSightings(receiver.received)).toEqual(sent);
    await expect.poll(() => held(harness)).toBe(0);
  });

  it('continues with the next event of a user after one is exhausted', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness);
    const userId = uuidv7();
    const sent = await emitRounds(harness, [userId], 3);
    const first = sent.get(userId)?.[0];
    receiver.respond = ({ id }, response) => void response.writeHead(id === first ? 400 : 204).end();
    harness.start({ scheduleMs: [0, 20] });
    await receiver.until(3);
    expect(firstSightings(receiver.received)).toEqual(sent);
    await expect.poll(() => held(harness)).toBe(0);
  });

  it('keeps the order of a user while attempts hang and are parked', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness);
    const users = [uuidv7(), uuidv7()];
    const sent = await emitRounds(harness, users, 4);
    const release: (() => void)[] = [];
    receiver.respond = (_request, response) => void release.push(() => response.writeHead(204).end());
    harness.start({ parkAfterMs: 100 });
    await receiver.until(2);
    await harness.caughtUp();
    expect(await held(harness)).toBe(8);
    expect(receiver.ids.size).toBe(2);
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    for (const respond of release) respond();
    await receiver.until(8);
    expect(firstSightings(receiver.received)).toEqual(sent);
    await expect.poll(() => held(harness)).toBe(0);
  });

  it('keeps the order of every user through crashes, takeovers and failures', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness);
    const users = Array.from({ length: 12 }, () => uuidv7());
    let requests = 0;
    receiver.respond = (_request, response) => {
      requests += 1;
      if (requests % 7 === 0) return void response.writeHead(400).end();
      if (requests % 5 === 0) return void setTimeout(() => response.writeHead(204).end(), 60);
      response.writeHead(204).end();
    };
    const tuning = {
      scheduleMs: [0, ...Array.from({ length: 20 }, () => 30)],
      parkAfterMs: 40,
      leaseMs: 2000,
      attemptMsMax: 1000,
      graceMs: 200,
    };
    const first = harness.start(tuning);
    const sent = new Map<string, string[]>(users.map((userId) => [userId, []]));
    const emitMore = async (rounds: number) => {
      for (const [userId, ids] of await emitRounds(harness, users, rounds)) sent.get(userId)?.push(...ids);
    };
    await emitMore(3);
    const second = harness.start(tuning);
    await emitMore(3);
    await first.crash();
    await emitMore(3);
    harness.start(tuning);
    await emitMore(3);
    await second.stop();
    await emitMore(3);
    await receiver.until(15 * users.length);
    expect(firstSightings(receiver.received)).toEqual(sent);
    await harness.caughtUp();
    await expect.poll(() => held(harness), { timeout: 15_000 }).toBe(0);
  }, 60_000);

  it('looks up rows of a user before the first event, so that rows of another dispatcher go first', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness);
    const userId = uuidv7();
    receiver.respond = (_request, response) => void response.writeHead(400).end();
    const first = harness.start({ scheduleMs: [0, 60_000] });
    const [failed] = await harness.emit(1, { userId });
    await receiver.until(1);
    await harness.caughtUp();
    await first.stop();
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    harness.start({ scheduleMs: [0, 60_000] });
    await harness.emit(1, { userId });
    await harness.emit(1);
    await receiver.untilTrue(() => receiver.ids.size === 2);
    await harness.caughtUp();
    expect(await held(harness)).toBe(2);
    expect(receiver.received.filter(({ id }) => id === idOf(failed as NewEvent))).toHaveLength(1);
  });
});

describe('with skip_superseded', () => {
  const summary = (id: string, version: number) => ({
    data: { id, user_id: uuidv7(), version },
  });

  it('after an outage only the newest version of a summary is sent; the others are superseded', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness, { skipSuperseded: true });
    const userId = uuidv7();
    const [first, second] = [uuidv7(), uuidv7()];
    receiver.respond = (_request, response) => void response.writeHead(400).end();
    harness.start({ scheduleMs: [0, 1500, 100] });
    const emitted: NewEvent[] = [];
    for (const [id, version] of [
      [first, 1],
      [first, 2],
      [second, 1],
      [first, 3],
      [second, 2],
    ] as const)
      emitted.push(...(await harness.emit(1, { userId, ...summary(id, version) })));
    await receiver.until(1);
    await harness.caughtUp();
    // The first, with its next attempt due by the schedule, and the newest of each summary behind it.
    expect(await held(harness)).toBe(3);
    receiver.received.length = 0;
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    await expect.poll(() => held(harness), { timeout: 20_000 }).toBe(0);
    expect(receiver.received.map(({ id }) => id)).toEqual([emitted[3], emitted[4]].map((event) => idOf(event as NewEvent)));
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { data: { version: number } }).data.version)).toEqual([3, 2]);
    const outcomes = new Map(
      (await harness.attempts()).filter((row) => row.outcome !== attemptOutcomes.failed).map((row) => [row.event_id, row.outcome]),
    );
    const { delivered, superseded } = attemptOutcomes;
    expect(emitted.map(({ eventId }) => outcomes.get(eventId))).toEqual([superseded, superseded, superseded, delivered, delivered]);
  });

  it('samples and other users are never skipped', async () => {
    const harness = await createHarness();
    const { receiver } = await orderedEndpoint(harness, { skipSuperseded: true });
    const [userId, other] = [uuidv7(), uuidv7()];
    const id = uuidv7();
    receiver.respond = (_request, response) => void response.writeHead(400).end();
    harness.start({ scheduleMs: [0, 800, 100] });
    for (const user of [userId, other]) await harness.emit(1, { userId: user, ...summary(id, 1) });
    for (let i = 0; i < 3; i++) await harness.emit(1, { userId, eventType: 'provider.connection.created', data: { id } });
    await receiver.until(2);
    await harness.caughtUp();
    receiver.received.length = 0;
    receiver.respond = (_request, response) => void response.writeHead(204).end();
    await receiver.until(5);
    expect((await harness.attempts()).some((row) => row.outcome === attemptOutcomes.superseded)).toBe(false);
  });
});
