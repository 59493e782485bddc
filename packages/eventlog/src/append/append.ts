import { byteaArray, plainArray, textArray, type Tx, savepoint } from '@pulsewire/database';
import { AppError } from '@pulsewire/kernel';
import { ensureGenerationIn } from '../generation/ensure-generation.ts';
import { isShard, newestShard, slotOf } from '../model/newest-row.ts';
import { firstShardCount, shardOf } from '../model/shard.ts';
import type { NewEvent } from '../model/types.ts';

// A guess that the statement checks; cached for the whole process, because a wrong one only costs a round trip.
let likelyShardCount = firstShardCount;

/** One for a changed number of shards, one for a changed server, and one in reserve. */
const triesMax = 4;

/**
 * Appends events to the log inside the caller's transaction. Must be its last statement: from here to the commit
 * the shards' counters are locked, which is what makes offsets dense and gives them commit order.
 * On a promoted standby or a restored server it starts a new generation first, so that no offset is used twice.
 */
export async function appendEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (let tries = 1; ; tries++) {
    const appended = await tryAppend(tx, events, likelyShardCount);
    if (appended === events.length) return;
    if (appended > 0 || tries === triesMax) break;
    // Refused: the number of shards or the server has changed.
    await ensureGenerationIn(tx);
    const [row] = await tx.sql<{ shard_count: number }[]>`SELECT shard_count FROM ${newestShard(tx.sql, '0::smallint')} s`;
    likelyShardCount = row?.shard_count ?? likelyShardCount;
  }
  throw new AppError({
    code: 'log_append_incomplete',
    kind: 'bug',
    message: 'The log did not store every event; is a shard counter missing?',
  });
}

/** Appends all events or, when the number of shards or the server's timeline differs, none. Returns the number appended. */
async function tryAppend({ sql }: Tx, events: readonly NewEvent[], shardCount: number): Promise<number> {
  const counts = new Map<number, number>();
  const shards: number[] = [];
  const ranks: number[] = [];
  for (const event of events) {
    const shard = shardOf(event.userId ?? event.teamId, shardCount);
    const rank = counts.get(shard) ?? 0;
    counts.set(shard, rank + 1);
    shards.push(shard);
    ranks.push(rank);
  }
  const touched = [...counts.keys()].sort((a, b) => a - b);
  const column = <T>(pick: (event: NewEvent) => T): T[] => events.map(pick);
  // Several shards are locked in shard order, so that two transactions never deadlock; starting a generation locks all of them in the same
  // order. An UPDATE locks in the order of its plan, so the locks are taken by a SELECT before it. A single shard needs none. The timeline
  // rises with every promotion and every restore from an archive, and reading it costs no I/O.
  const isCurrent = sql`
    s.shard_count = ${shardCount}
    AND CASE WHEN s.timeline IS NULL THEN true ELSE s.timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END`;
  // The same as the function log_day, which would be called for each shard and cost more than the update.
  const day = sql`greatest(s.day, least((clock_timestamp() AT TIME ZONE 'UTC')::date, (SELECT c.day + 3 FROM calendar c)))`;
  const wanted = sql`
    unnest(${plainArray(touched)}::smallint[], ${plainArray(touched.map((shard) => counts.get(shard) ?? 0))}::int[]) AS w(shard, n)`;
  const locked = sql`
    locked AS MATERIALIZED (
      SELECT w.shard, w.n FROM ${wanted} JOIN log_shards s ON ${isShard(sql, 'w.shard')} AND ${isCurrent} ORDER BY w.shard FOR UPDATE OF s
    ),`;
  const result = await sql`
    WITH ${touched.length > 1 ? locked : sql``} counted AS (
      UPDATE log_shards s SET next_offset = s.next_offset + w.n, slot = ${slotOf(sql, 's.next_offset + w.n')}, day = ${day}
      FROM ${touched.length > 1 ? sql`locked w` : wanted}
      WHERE ${isShard(sql, 'w.shard')} AND ${isCurrent}
      RETURNING s.shard, s.next_offset - w.n AS base, s.day
    )
    INSERT INTO log_events (shard, "offset", day, event_id, event_type, team_id, user_id, client_user_id, is_historical, trace_id, written_at, json, packed)
    SELECT c.shard, c.base + e.rank, c.day, e.event_id, e.event_type, e.team_id, e.user_id, e.client_user_id, e.is_historical, e.trace_id,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint, e.json, e.packed
    FROM unnest(
      ${plainArray(shards)}::smallint[], ${plainArray(ranks)}::int[],
      ${plainArray(column((event) => event.eventId))}::uuid[], ${textArray(column((event) => event.eventType))}::text[],
      ${plainArray(column((event) => event.teamId))}::uuid[], ${plainArray(column((event) => event.userId))}::uuid[],
      ${textArray(column((event) => event.clientUserId))}::text[], ${plainArray(column((event) => event.origin === 'historical'))}::boolean[],
      ${textArray(column((event) => event.traceId))}::text[],
      ${textArray(column((event) => (event.body.kind === 'json' ? event.body.json : null)))}::text[],
      ${byteaArray(column((event) => (event.body.kind === 'samples' ? event.body.packed : null)))}::bytea[]
    ) AS e(shard, rank, event_id, event_type, team_id, user_id, client_user_id, is_historical, trace_id, json, packed)
    JOIN counted c ON c.shard = e.shard`;
  return result.count;
}

/** Rolls the rehearsal back. */
class RehearsedError extends Error {
  override readonly name = 'RehearsedError';
}

/**
 * Appends events and rolls them back: throws the error that the log would throw at the end of the transaction, and leaves no counter
 * locked.
 */
export async function rehearseAppend(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await savepoint(tx, async (inner) => {
    await appendEvents(inner, events);
    throw new RehearsedError('Rehearsed, and rolled back');
  }).catch((error: unknown) => {
    if (!(error instanceof RehearsedError)) throw error;
  });
}
