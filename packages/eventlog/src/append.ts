import { AppError } from '@pulsewire/kernel';
import { byteaArray, plainArray, textArray, type Tx } from '@pulsewire/database';
import { shardOf } from './shard.ts';
import type { NewEvent } from './types.ts';

/**
 * Appends events to the log inside the caller's transaction. Must be its last statement: from here to the commit
 * the shards' counters are locked, which is what makes offsets dense and gives them commit order (plan 4.2).
 */
export async function appendEvents({ sql }: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const counts = new Map<number, number>();
  const shards: number[] = [];
  const ranks: number[] = [];
  for (const event of events) {
    const shard = shardOf(event.userId ?? event.teamId);
    const rank = counts.get(shard) ?? 0;
    counts.set(shard, rank + 1);
    shards.push(shard);
    ranks.push(rank);
  }
  const touched = [...counts.keys()].sort((a, b) => a - b);
  const column = <T>(pick: (event: NewEvent) => T): T[] => events.map(pick);
  // Several shards are locked in shard order first, so that two transactions can never wait for each other.
  const lock =
    touched.length === 1
      ? sql`SELECT shard FROM log_shards WHERE shard = ANY(${plainArray(touched)}::smallint[])`
      : sql`SELECT shard FROM log_shards WHERE shard = ANY(${plainArray(touched)}::smallint[]) ORDER BY shard FOR UPDATE`;
  const result = await sql`
    WITH locked AS MATERIALIZED (${lock}),
    counted AS (
      UPDATE log_shards s SET next_offset = s.next_offset + w.n, day = greatest(s.day, (clock_timestamp() AT TIME ZONE 'UTC')::date)
      FROM unnest(${plainArray(touched)}::smallint[], ${plainArray(touched.map((shard) => counts.get(shard) ?? 0))}::int[]) AS w(shard, n)
      JOIN locked USING (shard)
      WHERE s.shard = w.shard
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
  if (result.count !== events.length) {
    throw new AppError({
      code: 'log_append_incomplete',
      kind: 'bug',
      message: 'The log did not take every event; is a shard counter missing?',
    });
  }
}
