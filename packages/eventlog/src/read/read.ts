import { plainArray, type Executor } from '@pulsewire/database';
import { newestShard } from '../model/newest-row.ts';
import type { LogEvent, ReadPoint } from '../model/types.ts';

interface Row {
  shard: number;
  offset: string;
  day: string;
  event_id: string;
  event_type: string;
  team_id: string;
  user_id: string | null;
  client_user_id: string | null;
  is_historical: boolean;
  trace_id: string | null;
  written_at: string;
  json: string | null;
  packed: Buffer | null;
}

function toEvent(row: Row): LogEvent {
  return {
    shard: row.shard,
    offset: Number(row.offset),
    day: row.day,
    eventId: row.event_id,
    eventType: row.event_type,
    teamId: row.team_id,
    userId: row.user_id,
    clientUserId: row.client_user_id,
    origin: row.is_historical ? 'historical' : 'live',
    traceId: row.trace_id,
    writtenAt: Number(row.written_at),
    body: row.packed ? { kind: 'samples', packed: row.packed } : { kind: 'json', json: row.json ?? '{}' },
  };
}

// Reading fewer events per shard would cost more than it gains.
const perShardMin = 16;

/**
 * Events at and after each point, in order within a shard, shards in the order of the points; at most `limit` in total. Every shard is
 * served: a busy one delivers a share and continues at the next read. A shard's counter is checked first, so a quiet one costs one row of a
 * small table and no index descent.
 */
export async function readFrom({ sql }: Executor, points: readonly ReadPoint[], limit: number): Promise<readonly LogEvent[]> {
  const perShard = Math.max(perShardMin, Math.ceil(limit / Math.max(1, points.length)));
  const rows = await sql<Row[]>`
    SELECT e.* FROM unnest(
      ${plainArray(points.map((point) => point.shard))}::smallint[],
      ${plainArray(points.map((point) => point.offset))}::bigint[],
      ${plainArray(points.map((point) => point.day))}::date[]
    ) WITH ORDINALITY AS p(shard, "offset", day, ord)
    CROSS JOIN LATERAL (
      SELECT * FROM log_events e
      WHERE e.shard = p.shard AND e."offset" >= p."offset" AND e.day >= p.day
        AND ${newestShard(sql, 'p.shard', 'n.next_offset')} > p."offset"
      ORDER BY e."offset" LIMIT ${Math.min(perShard, limit)}
    ) e
    ORDER BY p.ord, e."offset"
    LIMIT ${limit}`;
  return rows.map(toEvent);
}

/** The events at exactly these addresses; those dropped by retention are missing from the result. */
export async function readEvents({ sql }: Executor, addresses: readonly ReadPoint[]): Promise<readonly LogEvent[]> {
  if (addresses.length === 0) return [];
  const rows = await sql<Row[]>`
    SELECT e.* FROM unnest(
      ${plainArray(addresses.map((address) => address.shard))}::smallint[],
      ${plainArray(addresses.map((address) => address.offset))}::bigint[],
      ${plainArray(addresses.map((address) => address.day))}::date[]
    ) AS a(shard, "offset", day)
    JOIN log_events e ON e.shard = a.shard AND e."offset" = a."offset" AND e.day = a.day`;
  return rows.map(toEvent);
}
