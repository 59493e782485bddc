import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { uuidToBase62 } from '@pulsewire/kernel';
import { useDatabase } from '../../../support/database.ts';
import { makeClockStep, type SteppingClock } from '../../../support/stepping-clock.ts';
import { useHarness, type Harness } from '../harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
let clock: SteppingClock;
beforeAll(async () => {
  clock = await makeClockStep(file.url);
});

const marks = () =>
  file.current.sql<{ member: string; mark: string }[]>`SELECT member, seen_at::text AS mark FROM log_members ORDER BY member`;
const epochs = () => file.current.sql`SELECT shard, owner, epoch FROM log_positions WHERE consumer = 'dispatcher' ORDER BY shard`;
const owners = async () => {
  const rows = await file.current.sql<
    { owner: string | null }[]
  >`SELECT owner FROM log_positions WHERE consumer = 'dispatcher' GROUP BY owner`;
  return rows.map(({ owner }) => owner);
};

/** Every member has sent three more heartbeats, and so has acted on what it read. */
async function heartbeats(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const before = new Map((await marks()).map(({ member, mark }) => [member, mark]));
    await expect
      .poll(async () => (await marks()).every(({ member, mark }) => before.get(member) !== mark), { interval: 20, timeout: 20_000 })
      .toBe(true);
  }
}

/** Two dispatchers that share the log equally. */
async function startPair(harness: Harness, tuning: Parameters<Harness['start']>[0] = {}) {
  const pair = [harness.start(tuning), harness.start(tuning)] as const;
  const shares = async () => {
    const rows = await file.current.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM log_positions WHERE consumer = 'dispatcher' AND owner IS NOT NULL GROUP BY owner`;
    return rows.map(({ count }) => count);
  };
  await expect.poll(shares, { timeout: 30_000 }).toEqual([32, 32]);
  return pair;
}

describe('when the clock of the database steps', () => {
  it.each(['1 hour', '-1 hour'])('by %s: no shard changes its owner, and nothing in progress is sent again', async (interval) => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const held: ServerResponse[] = [];
    receiver.respond = (_request, response) => void held.push(response);
    await startPair(harness, { parkAfterMs: 120_000, attemptMsMax: 60_000, leaseMs: 120_000, inFlightMax: 256 });
    await harness.emit(10);
    await receiver.until(10);
    const before = await epochs();
    await clock.step(interval);
    await heartbeats();
    expect(await epochs()).toEqual(before);
    for (const response of held.splice(0)) response.writeHead(204).end();
    await harness.caughtUp();
    expect(receiver.received).toHaveLength(10);
  });

  it('backward: shards of a dead dispatcher are still taken over', async () => {
    const harness = await createHarness();
    await harness.endpoint();
    const [first, second] = await startPair(harness);
    await clock.step('-3 hours');
    await first.crash();
    await expect.poll(owners, { timeout: 20_000 }).toEqual([second.memberId]);
  });

  it('forward: rows that are being sent are not claimed again before the clock was steady for a lease', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const held: ServerResponse[] = [];
    const seen = new Map<string, number>();
    let holds = true;
    receiver.respond = ({ id }, response) => {
      const times = (seen.get(id) ?? 0) + 1;
      seen.set(id, times);
      if (times === 1) response.writeHead(400).end();
      else if (holds) held.push(response);
      else response.writeHead(204).end();
    };
    await startPair(harness, { scheduleMs: [0, 50, 60_000], attemptMsMax: 60_000, leaseMs: 120_000, inFlightMax: 256 });
    await harness.emit(2);
    await receiver.untilTrue(() => held.length === 2);
    await clock.step('1 hour');
    // Retries of the same endpoint become due now; claiming them reads all due rows.
    holds = false;
    const later = await harness.emit(4);
    await receiver.untilTrue(() =>
      later.every(({ eventId }) => [...seen].some(([id, times]) => times >= 2 && id === `msg_${uuidToBase62(eventId)}`)),
    );
    expect([...seen.values()].filter((times) => times > 2)).toEqual([]);
    for (const response of held.splice(0)) response.writeHead(204).end();
    await expect.poll(() => harness.pending(), { timeout: 20_000 }).toEqual([]);
    expect(receiver.received).toHaveLength(12);
  });

  it('backward: a delivery waits for as long as its schedule requires, from when the clock was set', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    let isUp = false;
    receiver.respond = (_request, response) => void response.writeHead(isUp ? 204 : 500).end();
    await clock.step('5 hours');
    harness.start({ scheduleMs: [0, 3_600_000] });
    await harness.emit(3);
    const waitsMinutes = async () => {
      const rows = await file.current.sql<{ minutes: number }[]>`
        SELECT extract(epoch FROM due_at - clock_timestamp())::float8 / 60 AS minutes FROM webhook_pending WHERE attempts = 1`;
      return rows.map(({ minutes }) => minutes);
    };
    await expect.poll(async () => (await waitsMinutes()).length, { timeout: 20_000 }).toBe(3);
    isUp = true;
    await clock.step('-5 hours');
    // One hour with a jitter of a fifth, not six hours.
    await expect.poll(async () => Math.max(...(await waitsMinutes())), { timeout: 20_000 }).toBeLessThanOrEqual(73);
    expect(Math.min(...(await waitsMinutes()))).toBeGreaterThan(40);
    await clock.step('75 minutes');
    await receiver.untilTrue(() => receiver.received.length === 6);
    await expect.poll(() => harness.pending(), { timeout: 20_000 }).toEqual([]);
    expect(receiver.received).toHaveLength(6);
  });
});
