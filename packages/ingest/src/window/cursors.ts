import { and, eq, inArray, lt } from 'drizzle-orm';
import { plainArray, run, textArray, type Executor, type Tx } from '@pulsewire/database';
import type { PullSpec } from '@pulsewire/providers';
import type { PollState } from '../model/poll-interval.ts';
import { pullCursors } from '../model/tables.ts';

/** Up to which day a pull was read. */
export interface Cursor extends PollState {
  readonly coveredTo: string;
}

/** The cursors by pull; a pull without an entry was never planned. */
export async function readCursors({ orm }: Tx, connectionId: string): Promise<ReadonlyMap<string, Cursor>> {
  const rows = await run(orm.select().from(pullCursors).where(eq(pullCursors.connectionId, connectionId)));
  return new Map(rows.map(({ pull, ...cursor }) => [pull, cursor]));
}

/** The same of many connections, by connection. */
export async function readCursorsOfMany(
  { orm }: Tx,
  connectionIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Cursor>>> {
  const rows = await run(
    orm
      .select()
      .from(pullCursors)
      .where(inArray(pullCursors.connectionId, [...connectionIds])),
  );
  const byConnection = Map.groupBy(rows, ({ connectionId }) => connectionId);
  return new Map([...byConnection].map(([connectionId, own]) => [connectionId, new Map(own.map(({ pull, ...cursor }) => [pull, cursor]))]));
}

/** Starts the cursors of pulls at `coveredTo`, where they have none yet. */
export async function startCursors(
  { sql }: Tx,
  connectionId: string,
  pulls: readonly Pick<PullSpec, 'name'>[],
  coveredTo: string,
): Promise<void> {
  await sql`
    INSERT INTO pull_cursors (connection_id, pull, covered_to)
    SELECT ${connectionId}::uuid, pull, ${coveredTo}::date FROM unnest(${textArray(pulls.map((pull) => pull.name))}::text[]) AS n(pull)
    ON CONFLICT DO NOTHING`;
}

/** The first cursor of a pull of an imported connection. */
export interface ImportedCursor {
  readonly connectionId: string;
  readonly pull: string;
  readonly coveredTo: string;
}

/** The same for connections that were imported together, in one statement. */
export async function importCursors({ sql }: Tx, cursors: readonly ImportedCursor[]): Promise<void> {
  await sql`
    INSERT INTO pull_cursors (connection_id, pull, covered_to)
    SELECT * FROM unnest(
      ${plainArray(cursors.map(({ connectionId }) => connectionId))}::uuid[], ${textArray(cursors.map(({ pull }) => pull))}::text[],
      ${plainArray(cursors.map(({ coveredTo }) => coveredTo))}::date[])
    ON CONFLICT DO NOTHING`;
}

/** A pull that was planned for a poll, and whether it reads all the days that it reads again. */
export interface PolledPull {
  readonly connectionId: string;
  readonly pull: string;
  readonly isReread: boolean;
}

/** Records which pulls were planned for a poll now. */
export async function recordPolled({ sql }: Tx, polled: readonly PolledPull[], now: Date): Promise<void> {
  if (polled.length === 0) return;
  const at = now.toISOString();
  await sql`
    UPDATE pull_cursors c SET polled_at = ${at}, reread_at = CASE WHEN n.is_reread THEN ${at}::timestamptz ELSE c.reread_at END
    FROM unnest(${plainArray(polled.map(({ connectionId }) => connectionId))}::uuid[], ${textArray(polled.map(({ pull }) => pull))}::text[],
      ${plainArray(polled.map(({ isReread }) => isReread))}::boolean[]) AS n(connection_id, pull, is_reread)
    WHERE c.connection_id = n.connection_id AND c.pull = n.pull`;
}

/** A pull has read everything up to this day; an earlier one changes nothing. */
export async function advanceCursor({ orm }: Tx, connectionId: string, pull: string, coveredTo: string): Promise<void> {
  const isEarlier = and(eq(pullCursors.connectionId, connectionId), eq(pullCursors.pull, pull), lt(pullCursors.coveredTo, coveredTo));
  await run(orm.update(pullCursors).set({ coveredTo }).where(isEarlier));
}

/** Records of these pulls, or of all (null), were changed: their last readings no longer show that an equal one changes nothing. */
export async function recordChange({ sql }: Tx, connectionId: string, pulls: readonly string[] | null): Promise<void> {
  const isChanged = pulls === null ? sql`true` : sql`pull = ANY(${textArray(pulls)}::text[])`;
  await sql`
    WITH locked AS (
      SELECT pull FROM pull_cursors WHERE connection_id = ${connectionId} AND ${isChanged} ORDER BY pull FOR UPDATE)
    UPDATE pull_cursors c SET changes = changes + 1 FROM locked WHERE c.connection_id = ${connectionId} AND c.pull = locked.pull`;
}

/** Removes the cursors of connections that are removed or erased. */
export async function removeCursors({ sql }: Executor, connectionIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM pull_cursors WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[])`;
}
