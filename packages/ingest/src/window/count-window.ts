import { eq, sql as fragment } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { PullLane } from '@pulsewire/providers';
import { pullWindows } from '../model/tables.ts';

/** What one page wrote; counts of records, removals not included. */
export interface PageCounts {
  readonly samplesReceived: number;
  readonly samplesCreated: number;
  readonly samplesUpdated: number;
  readonly summariesReceived: number;
  readonly summariesCreated: number;
  readonly summariesUpdated: number;
}

/**
 * Records that notifications of this collection contained data on this local day (`YYYY-MM-DD`): the window explains why a day has data, and
 * owns its quarantine entries. It is never claimed. Returns its id.
 */
export async function recordPushedWindow(
  { sql }: Tx,
  connection: PullConnection,
  pushed: { readonly collection: string; readonly rank: number; readonly lane: PullLane; readonly day: string; readonly now: Date },
): Promise<string> {
  const at = pushed.now.toISOString();
  const [row] = await sql<{ window_id: string }[]>`
    INSERT INTO pull_windows AS w (connection_id, team_id, user_id, pull, rank, resources, lane, start_date, end_date, state, runs, due_at, planned_at, started_at, finished_at)
    VALUES (${connection.connectionId}, ${connection.teamId}, ${connection.userId}, ${`push:${pushed.collection}`}, ${pushed.rank}, '{}', ${pushed.lane},
      ${pushed.day}, ${pushed.day}, 'done', 1, ${at}, ${at}, ${at}, ${at})
    ON CONFLICT (connection_id, pull, lane, start_date, end_date, object_id) DO UPDATE SET runs = w.runs + 1, finished_at = excluded.finished_at
    RETURNING window_id`;
  return row?.window_id ?? '0';
}

/** Adds a page to the window's counters. */
export async function countPage({ sql }: Tx, windowId: string, written: PageCounts, quarantined: number): Promise<void> {
  await sql`
    UPDATE pull_windows SET pages = pages + 1,
      samples_received = samples_received + ${written.samplesReceived}, samples_created = samples_created + ${written.samplesCreated},
      samples_updated = samples_updated + ${written.samplesUpdated}, summaries_received = summaries_received + ${written.summariesReceived},
      summaries_created = summaries_created + ${written.summariesCreated}, summaries_updated = summaries_updated + ${written.summariesUpdated},
      quarantined = quarantined + ${quarantined}
    WHERE window_id = ${windowId}`;
}

/** Adds items that were quarantined without a page. */
export async function countQuarantined({ orm }: Tx, windowId: string, quarantined: number): Promise<void> {
  const sum = fragment`${pullWindows.quarantined} + ${quarantined}`;
  await run(
    orm
      .update(pullWindows)
      .set({ quarantined: sum })
      .where(eq(pullWindows.windowId, BigInt(windowId))),
  );
}

/** Erases all windows of a user. A run in progress finds its window deleted and writes nothing more. */
export async function eraseWindows({ orm }: Tx, userId: string): Promise<void> {
  await run(orm.delete(pullWindows).where(eq(pullWindows.userId, userId)));
}
