import { afterEach, describe, expect, it } from 'vitest';
import { attemptOutcomes } from '@pulsewire/webhooks';
import { startCommitCutter, type CommitCutter } from '../../../support/commit-cutter.ts';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';
import { useReplays } from '../replays/replay-rows.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const { replay, progressOf } = useReplays(file);
const cutters: CommitCutter[] = [];

async function cutter(): Promise<CommitCutter> {
  const one = await startCommitCutter(file.url);
  cutters.push(one);
  return one;
}

afterEach(async () => {
  for (const one of cutters.splice(0)) await one.close();
});

const announcements = () =>
  file.current.sql<{ event_id: string; copies: number }[]>`
    SELECT event_id, count(*)::int AS copies FROM log_events WHERE event_type = 'message.attempt.exhausted' GROUP BY event_id`;

const ownsAllShards = async () =>
  (await file.current.sql`SELECT FROM log_positions WHERE consumer = 'dispatcher' AND owner IS NOT NULL`).length === 64;

describe('a dispatcher that does not receive the response to a COMMIT', () => {
  it('records every batch once: attempts, rows and events, whichever COMMIT it is', async () => {
    const harness = await createHarness();
    const proxy = await cutter();
    const { receiver } = await harness.endpoint();
    const operational = await harness.endpoint({ filterTypes: ['message.attempt.exhausted'] });
    // A third is delivered, a third fails once, a third is exhausted.
    const kinds = new Map<string, number>();
    const seen = new Map<string, number>();
    receiver.respond = ({ id }, response) => {
      const kind = kinds.get(id) ?? kinds.set(id, kinds.size % 3).get(id);
      seen.set(id, (seen.get(id) ?? 0) + 1);
      if (kind === 0 || (kind === 1 && (seen.get(id) ?? 0) > 1)) return void response.writeHead(204).end();
      response.writeHead(400, kind === 2 ? { 'webhook-delivery': 'abort-message' } : {}).end();
    };
    operational.receiver.respond = ({ id }, response) => {
      seen.set(id, (seen.get(id) ?? 0) + 1);
      response.writeHead((seen.get(id) ?? 0) > 1 ? 204 : 400).end();
    };
    harness.start({ scheduleMs: [0, 50, 50] }, { url: proxy.url });
    await expect.poll(ownsAllShards, { timeout: 10_000 }).toBe(true);
    // Loses the response to one COMMIT at a time, and lets its retry through.
    proxy.loses = (number) => number % 2 === 1;
    for (let round = 0; round < 8; round++) {
      await harness.emit(6);
      await harness.caughtUp();
    }
    await expect.poll(async () => (await harness.pending()).length, { timeout: 20_000 }).toBe(0);
    // At least one of each round.
    expect(proxy.lost).toBeGreaterThanOrEqual(8);

    const attempts = await harness.attempts();
    const ofMessages = attempts.filter((row) => row.endpoint_id !== operational.endpointId);
    expect(ofMessages.filter((row) => row.outcome === attemptOutcomes.delivered)).toHaveLength(32);
    expect(ofMessages.filter((row) => row.outcome === attemptOutcomes.failed)).toHaveLength(16);
    expect(ofMessages.filter((row) => row.outcome === attemptOutcomes.exhausted)).toHaveLength(16);
    // Each is announced once; the first attempt of each announcement fails, and its row is written once.
    const reported = await announcements();
    expect(reported).toHaveLength(16);
    expect(reported.every(({ copies }) => copies === 1)).toBe(true);
    expect(attempts.filter((row) => row.endpoint_id === operational.endpointId)).toHaveLength(32);
  }, 60_000);

  it('counts each delivery of a replay once', async () => {
    const harness = await createHarness();
    const proxy = await cutter();
    const { receiver, endpointId } = await harness.endpoint();
    harness.start({ replayRowsMax: 8 }, { url: proxy.url });
    await harness.emit(40);
    await receiver.until(40);
    await harness.caughtUp();
    proxy.loses = (number) => number % 2 === 0;
    const replayId = await replay(harness, endpointId);
    // Every lost response costs the dispatcher a connection.
    await expect.poll(async () => (await progressOf(replayId))?.status, { timeout: 50_000 }).toBe('completed');
    await expect.poll(async () => (await harness.attempts()).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(80);
    await expect.poll(() => progressOf(replayId)).toMatchObject({ total: 40, enqueued: 40, delivered: 40, exhausted: 0 });
    expect(await harness.attempts()).toHaveLength(80);
    expect(proxy.lost).toBeGreaterThan(4);
  }, 90_000);
});
