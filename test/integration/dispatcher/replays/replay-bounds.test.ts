import { describe, expect, it } from 'vitest';
import { uuidToBase62 } from '@pulsewire/kernel';
import { useDatabase } from '../../../support/database.ts';
import { useHarness, type Harness } from '../harness.ts';
import { useReplays } from './replay-rows.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const { replay, progressOf, ended } = useReplays(file);

const rowsOf = async (replayId: string) =>
  file.current.sql<{ attempts: number }[]>`SELECT attempts FROM webhook_pending WHERE replay_id = ${replayId}`;

/** A team with the given number of delivered events, and an endpoint that then accepts every fourth message. */
async function choosyEndpoint(harness: Harness, count: number) {
  const made = await harness.endpoint();
  const settled = harness.start();
  const events = await harness.emit(count);
  await made.receiver.until(count);
  await harness.caughtUp();
  await settled.stop();
  made.receiver.received.length = 0;
  const refuses = new Set(events.filter((_, index) => index % 4 > 0).map(({ eventId }) => `msg_${uuidToBase62(eventId)}`));
  made.receiver.respond = ({ id }, response) => void response.writeHead(refuses.has(id) ? 400 : 204).end();
  return { ...made, refuses };
}

describe('the rows of a replay', () => {
  it('never exceed the bound of rows without an attempt, however small', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const first = harness.start();
    await harness.emit(150);
    await receiver.until(150);
    await harness.caughtUp();
    await first.stop();
    receiver.respond = () => {};
    harness.start({ replayRowsMax: 10, parkAfterMs: 60_000 });
    const replayId = await replay(harness, endpointId);
    await expect.poll(async () => (await rowsOf(replayId)).length).toBeGreaterThan(0);
    // Until it has checked several times and found no capacity.
    const enqueuedNow = async () => (await progressOf(replayId))?.enqueued;
    let enqueued = await enqueuedNow();
    await expect
      .poll(
        async () => {
          const before = enqueued;
          enqueued = await enqueuedNow();
          return enqueued === before;
        },
        { interval: 700 },
      )
      .toBe(true);
    expect((await rowsOf(replayId)).length).toBeLessThanOrEqual(10);
  });

  it('that failed are retried by the schedule and pause the replay only at ten times the bound', async () => {
    const harness = await createHarness();
    const { receiver, endpointId, refuses } = await choosyEndpoint(harness, 240);
    // 180 are rejected, of which 8 × 10 plus one more batch may wait.
    harness.start({ replayRowsMax: 8, scheduleMs: [0, 600_000, 600_000] });
    const replayId = await replay(harness, endpointId);
    const failed = async () => (await rowsOf(replayId)).filter(({ attempts }) => attempts > 0).length;
    await expect.poll(failed, { timeout: 20_000 }).toBeGreaterThan(80);
    let most = 0;
    for (let look = 0; look < 10; look++) {
      most = Math.max(most, (await rowsOf(replayId)).length);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(most).toBeLessThanOrEqual(88);
    expect(await progressOf(replayId)).toMatchObject({ status: 'running', exhausted: 0 });
    // Their retries are due as for any other row, and make room for the rest.
    const tried = receiver.received.length;
    refuses.clear();
    while ((await progressOf(replayId))?.status !== 'completed') {
      await file.current
        .sql`UPDATE webhook_pending SET due_at = now() WHERE replay_id = ${replayId} AND attempts > 0 AND lease_owner IS NULL`;
      await file.current.sql`SELECT pg_notify('pulsewire_webhooks', 'all')`;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await ended(replayId).toBe('completed');
    await expect.poll(() => progressOf(replayId)).toMatchObject({ total: 240, enqueued: 240, delivered: 240, exhausted: 0 });
    expect(receiver.received.length).toBeGreaterThan(tried);
    expect(await rowsOf(replayId)).toEqual([]);
  }, 60_000);

  it('that are exhausted are counted as such, and the replay still completes', async () => {
    const harness = await createHarness();
    const { endpointId } = await choosyEndpoint(harness, 40);
    harness.start({ replayRowsMax: 8, scheduleMs: [0, 50] });
    const replayId = await replay(harness, endpointId);
    await ended(replayId).toBe('completed');
    await expect.poll(() => progressOf(replayId)).toMatchObject({ total: 40, enqueued: 40, delivered: 10, exhausted: 30 });
    expect(await rowsOf(replayId)).toEqual([]);
  });
});
