import { expect } from 'vitest';
import { uuidv7 } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { Harness } from '../harness.ts';

interface ReplayFields {
  selection?: 'all' | 'failed' | 'missing' | 'undelivered';
  userId?: string | null;
  eventTypes?: string[] | null;
  since?: Date;
  until?: Date;
}

/** Replays on the file's database, made as the API makes them, and what became of them. */
export function useReplays(file: { readonly current: Database }) {
  async function replay(harness: Harness, endpointId: string, fields: ReplayFields = {}): Promise<string> {
    const { selection = 'all', userId = null, eventTypes = null, since = new Date(Date.now() - 3_600_000), until = new Date() } = fields;
    const replayId = uuidv7();
    await file.current.sql`
      INSERT INTO webhook_replays (replay_id, team_id, endpoint_id, since, until, user_id, event_types, selection, created_at)
      VALUES (${replayId}, ${harness.teamId}, ${endpointId}, ${since.toISOString()}, ${until.toISOString()}, ${userId}, ${eventTypes}, ${selection}, now())`;
    await file.current.sql`SELECT pg_notify('pulsewire_webhooks', 'replays')`;
    return replayId;
  }

  async function progressOf(replayId: string) {
    const [row] = await file.current.sql<
      { status: string; total: number; enqueued: number; delivered: number; exhausted: number; error: string | null }[]
    >`
      SELECT status, total::int AS total, enqueued::int AS enqueued, delivered::int AS delivered, exhausted::int AS exhausted, error
      FROM webhook_replays WHERE replay_id = ${replayId}`;
    return row;
  }

  const ended = (replayId: string) => expect.poll(async () => (await progressOf(replayId))?.status, { timeout: 20_000 });
  return { replay, progressOf, ended };
}
