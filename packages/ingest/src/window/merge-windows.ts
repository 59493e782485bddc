import { addDays } from '@pulsewire/kernel';
import { plainArray, textArray, type Database, type Tx } from '@pulsewire/database';

/** A window that was read, with its counters. */
export interface ReadWindow {
  readonly windowId: string;
  readonly connectionId: string;
  readonly pull: string;
  readonly startDate: string;
  readonly endDate: string;
  /** It read one announced object; its days say when that was announced. */
  readonly isObject: boolean;
}

/** Windows that become one: the row that stays, with the days of all, and the rows that are deleted. */
export interface MergedWindow {
  readonly kept: ReadWindow;
  readonly startDate: string;
  readonly endDate: string;
  readonly gone: readonly ReadWindow[];
}

/**
 * Merges windows of one pull of a connection whose days overlap or follow each other; those with days between them stay apart, so that a
 * merged window covers no day that was not read. The newest row of a range stays. Objects are not merged.
 */
export function mergedWindows(windows: readonly ReadWindow[]): readonly MergedWindow[] {
  const groups: { rows: ReadWindow[]; startDate: string; endDate: string }[] = [];
  const ofDays = windows.filter(({ isObject }) => !isObject);
  const byPull = Map.groupBy(ofDays, ({ connectionId, pull }) => `${connectionId} ${pull}`);
  for (const rows of byPull.values()) {
    let group: (typeof groups)[number] | undefined;
    for (const row of rows.toSorted((a, b) => (a.startDate < b.startDate ? -1 : a.startDate > b.startDate ? 1 : 0))) {
      if (group && row.startDate <= addDays(group.endDate, 1)) {
        group.rows.push(row);
        if (row.endDate > group.endDate) group.endDate = row.endDate;
        continue;
      }
      group = { rows: [row], startDate: row.startDate, endDate: row.endDate };
      groups.push(group);
    }
  }
  return groups.flatMap(({ rows, startDate, endDate }) => {
    const [kept, ...gone] = rows.toSorted((a, b) => (BigInt(a.windowId) > BigInt(b.windowId) ? -1 : 1));
    return kept && gone.length > 0 ? [{ kept, startDate, endDate, gone }] : [];
  });
}

/** Windows looked at in one transaction. */
const rowsMax = 2000;

/**
 * Merges live windows that were last read before `before` into one for each range of days, and deletes those of single objects, so that the
 * table does not grow with polls. Nothing may refer to them any more: neither responses in the vault nor receipts. Windows with quarantined
 * items, and those that were given up, stay as they are. Reads bounded batches, in the order of connections; returns how many rows it
 * deleted.
 */
export async function mergeReadWindows(database: Database, before: Date, signal: AbortSignal): Promise<number> {
  let after = '00000000-0000-0000-0000-000000000000';
  let deleted = 0;
  while (!signal.aborted) {
    const batch = await database.transaction((tx) => mergeBatch(tx, after, before));
    deleted += batch.deleted;
    if (batch.last === null) break;
    // A connection may have more windows than one batch: what was merged makes room for the rest.
    after = batch.deleted > 0 ? batch.last : nextId(batch.last);
  }
  return deleted;
}

const nextId = (id: string): string => {
  const next = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return [next.slice(0, 8), next.slice(8, 12), next.slice(12, 16), next.slice(16, 20), next.slice(20)].join('-');
};

interface Row {
  readonly window_id: string;
  readonly connection_id: string;
  readonly pull: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly is_object: boolean;
}

async function mergeBatch(tx: Tx, from: string, before: Date): Promise<{ readonly deleted: number; readonly last: string | null }> {
  const rows = await tx.sql<Row[]>`
    SELECT window_id, connection_id, pull, start_date::text AS start_date, end_date::text AS end_date, object_id <> '' AS is_object FROM pull_windows
    WHERE connection_id >= ${from} AND lane = 'live' AND state = 'done' AND quarantined = 0 AND finished_at < ${before.toISOString()}
    ORDER BY connection_id, pull, lane, start_date LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED`;
  const windows = rows.map((row) => ({
    windowId: row.window_id,
    connectionId: row.connection_id,
    pull: row.pull,
    startDate: row.start_date,
    endDate: row.end_date,
    isObject: row.is_object,
  }));
  const merged = await withRoom(tx, mergedWindows(windows));
  const objects = windows.filter(({ isObject }) => isObject);
  if (merged.length > 0) await keepMerged(tx, merged);
  if (objects.length > 0) await deleteWindows(tx, objects);
  const deleted = objects.length + merged.reduce((sum, { gone }) => sum + gone.length, 0);
  return { deleted, last: rows.length < rowsMax ? null : (rows.at(-1)?.connection_id ?? null) };
}

/** Those whose days no other window has: one that was given up, quarantined or read lately stays as it is, and so do these. */
async function withRoom({ sql }: Tx, merged: readonly MergedWindow[]): Promise<readonly MergedWindow[]> {
  if (merged.length === 0) return merged;
  const own = merged.flatMap(({ kept, gone }) => [kept, ...gone]).map(({ windowId }) => windowId);
  const taken = await sql<{ kept: string }[]>`
    SELECT n.kept::text AS kept
    FROM unnest(${plainArray(merged.map(({ kept }) => kept.windowId))}::bigint[], ${plainArray(merged.map(({ kept }) => kept.connectionId))}::uuid[],
      ${textArray(merged.map(({ kept }) => kept.pull))}::text[], ${plainArray(merged.map(({ startDate }) => startDate))}::date[],
      ${plainArray(merged.map(({ endDate }) => endDate))}::date[]) AS n(kept, connection_id, pull, start_date, end_date)
    JOIN pull_windows w ON w.connection_id = n.connection_id AND w.pull = n.pull AND w.lane = 'live' AND w.object_id = ''
      AND w.start_date = n.start_date AND w.end_date = n.end_date
    WHERE w.window_id <> ALL(${plainArray(own)}::bigint[])`;
  const blocked = new Set(taken.map(({ kept }) => kept));
  return merged.filter(({ kept }) => !blocked.has(kept.windowId));
}

async function deleteWindows({ sql }: Tx, windows: readonly ReadWindow[]): Promise<void> {
  await sql`DELETE FROM pull_windows WHERE window_id = ANY(${plainArray(windows.map(({ windowId }) => windowId))}::bigint[])`;
}

/** The counters of the rows that go are added to those of the row that stays, which then has the days of all. */
async function keepMerged(tx: Tx, merged: readonly MergedWindow[]): Promise<void> {
  const pairs = merged.flatMap(({ kept, gone }) => gone.map(({ windowId }) => ({ kept: kept.windowId, gone: windowId })));
  await tx.sql`
    WITH sums AS (
      SELECT n.kept, sum(g.runs)::int AS runs, sum(g.pages) AS pages, min(g.planned_at) AS planned_at, min(g.started_at) AS started_at,
        sum(g.samples_received) AS samples_received, sum(g.samples_created) AS samples_created, sum(g.samples_updated) AS samples_updated,
        sum(g.summaries_received) AS summaries_received, sum(g.summaries_created) AS summaries_created, sum(g.summaries_updated) AS summaries_updated
      FROM unnest(${plainArray(pairs.map((pair) => pair.kept))}::bigint[], ${plainArray(pairs.map((pair) => pair.gone))}::bigint[]) AS n(kept, gone)
      JOIN pull_windows g ON g.window_id = n.gone GROUP BY n.kept)
    UPDATE pull_windows w SET runs = w.runs + s.runs, pages = w.pages + s.pages, planned_at = least(w.planned_at, s.planned_at),
      started_at = least(w.started_at, s.started_at), samples_received = w.samples_received + s.samples_received,
      samples_created = w.samples_created + s.samples_created, samples_updated = w.samples_updated + s.samples_updated,
      summaries_received = w.summaries_received + s.summaries_received, summaries_created = w.summaries_created + s.summaries_created,
      summaries_updated = w.summaries_updated + s.summaries_updated, reading = NULL, seen_version = NULL
    FROM sums s WHERE w.window_id = s.kept`;
  await deleteWindows(
    tx,
    merged.flatMap(({ gone }) => gone),
  );
  // After the deletion, because one of the deleted windows may have had exactly these days.
  await tx.sql`
    UPDATE pull_windows w SET start_date = n.start_date, end_date = n.end_date
    FROM unnest(${plainArray(merged.map(({ kept }) => kept.windowId))}::bigint[], ${plainArray(merged.map(({ startDate }) => startDate))}::date[],
      ${plainArray(merged.map(({ endDate }) => endDate))}::date[]) AS n(window_id, start_date, end_date)
    WHERE w.window_id = n.window_id`;
}
