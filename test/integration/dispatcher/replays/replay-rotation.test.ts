import { describe, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { endReplayBatch, takeReplay, type ReplayBatchOutcome } from '../../../../packages/webhooks/src/dispatcher/replay/lease-replay.ts';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';
import { useReplays } from './replay-rows.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const { replay, progressOf, ended } = useReplays(file);

/** Creates running replays of one team; returns the team. */
async function teamWith(replays: number): Promise<string> {
  const teamId = uuidv7();
  for (let count = 0; count < replays; count++)
    await file.current.sql`
      INSERT INTO webhook_replays (replay_id, team_id, endpoint_id, since, until, selection, created_at)
      VALUES (${uuidv7()}, ${teamId}, ${uuidv7()}, now(), now(), 'all', now())`;
  return teamId;
}

const again: ReplayBatchOutcome = { progress: null, matched: 0, enqueued: 0, status: 'running', error: null, pauseMs: 0 };

describe('teams with replays', () => {
  it('alternate, however many replays one of them has', async () => {
    await createHarness();
    const many = await teamWith(30);
    const few = await teamWith(1);
    const teamIds: string[] = [];
    for (let round = 0; round < 12; round++) {
      const taken = await takeReplay(file.current, 'one');
      teamIds.push(taken?.teamId ?? 'none');
      if (taken !== undefined) await endReplayBatch(file.current, taken.replayId, 'one', again);
    }
    expect(teamIds.filter((teamId) => teamId === many)).toHaveLength(6);
    expect(teamIds.filter((teamId) => teamId === few)).toHaveLength(6);
  });

  it('run each of their replays once before any of them again', async () => {
    await createHarness();
    await teamWith(5);
    const replayIds = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const taken = await takeReplay(file.current, 'one');
      if (taken === undefined) continue;
      replayIds.add(taken.replayId);
      await endReplayBatch(file.current, taken.replayId, 'one', again);
    }
    expect(replayIds.size).toBe(5);
  });

  it('run at most two replays at the same time', async () => {
    await createHarness();
    const many = await teamWith(30);
    const few = await teamWith(1);
    const taken: (string | undefined)[] = [];
    // In one transaction, where now() is constant: leases of seconds could expire during a slow test.
    await file.current.transaction(async (tx) => {
      for (let round = 0; round < 5; round++) taken.push((await takeReplay(tx, `member-${round}`))?.teamId);
    });
    expect(taken.filter((teamId) => teamId === many)).toHaveLength(2);
    expect(taken.filter((teamId) => teamId === few)).toHaveLength(1);
    expect(taken.filter((teamId) => teamId === undefined)).toHaveLength(2);
  });
});

describe('a replay that cannot run', () => {
  it('ends as failed with the reason when its range begins before every event', async () => {
    const harness = await createHarness();
    const { endpointId } = await harness.endpoint();
    harness.start();
    const replayId = await replay(harness, endpointId, { since: new Date('0001-01-01T00:00:00Z') });
    await ended(replayId).toBe('failed');
    expect((await progressOf(replayId))?.error).toBe('replay_since_invalid');
  });

  it('ends as failed with the SQLSTATE when Postgres rejects its values, and blocks no other', async () => {
    const harness = await createHarness();
    const [bad, good] = [await harness.endpoint(), await harness.endpoint()];
    const first = harness.start();
    await harness.emit(3);
    await good.receiver.until(3);
    await harness.caughtUp();
    await first.stop();
    // An offset that exceeds the column's range.
    const badId = await replay(harness, bad.endpointId);
    await file.current.sql`UPDATE webhook_replays SET progress = '{"points":[{"shard":70000,"offset":0}]}' WHERE replay_id = ${badId}`;
    const goodId = await replay(harness, good.endpointId);
    harness.start();
    await ended(goodId).toBe('completed');
    await ended(badId).toBe('failed');
    expect((await progressOf(badId))?.error).toBe('data_refused_22003');
  });

  it('quarantines a message that Postgres rejects, and sends the others', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await harness.endpoint();
    const running = harness.start();
    const events = await harness.emit(20);
    const [refused] = events;
    await receiver.until(20);
    await harness.caughtUp();
    receiver.received.length = 0;
    await file.current.sql.unsafe(`ALTER TABLE webhook_pending ADD CONSTRAINT refuses CHECK (event_id <> '${refused?.eventId}')`);
    try {
      const replayId = await replay(harness, endpointId);
      await ended(replayId).toBe('completed');
      expect(receiver.ids).toEqual(new Set(events.slice(1).map(({ eventId }) => `msg_${uuidToBase62(eventId)}`)));
      expect(await progressOf(replayId)).toMatchObject({ total: 20, enqueued: 19 });
      const aside = await file.current.sql`SELECT event_id, replay_id, code FROM webhook_quarantine`;
      expect(aside).toEqual([{ event_id: refused?.eventId, replay_id: replayId, code: '23514' }]);
    } finally {
      await file.current.sql`ALTER TABLE webhook_pending DROP CONSTRAINT refuses`;
      await file.current.sql`DELETE FROM webhook_quarantine`;
    }
    await running.stop();
  });
});
