import { plainArray, type Executor, textArray } from '@pulsewire/database';
import { headerColumns, toHeader, type EventHeader, type HeaderRow } from './header.ts';

/** The first day of the log that has an event at or after one of these points; null when there is none. */
export async function firstDay({ sql }: Executor, points: readonly TeamPoint[]): Promise<string | null> {
  if (points.length === 0) return null;
  const [row] = await sql<{ day: string | null }[]>`
    SELECT min(e.day)::text AS day
    FROM unnest(
      ${plainArray(points.map(({ shard }) => shard))}::int[], ${plainArray(points.map(({ offset }) => offset))}::bigint[]
    ) AS p(shard, "offset")
    CROSS JOIN LATERAL (SELECT day FROM log_events l WHERE l.shard = p.shard AND l."offset" >= p."offset" ORDER BY l."offset" LIMIT 1) e`;
  return row?.day ?? null;
}

/** The header of a team's event; undefined when it is unknown, dropped by retention, or another team's. */
export async function findTeamEvent({ sql }: Executor, teamId: string, eventId: string): Promise<EventHeader | undefined> {
  const [row] = await sql<HeaderRow[]>`
    SELECT ${sql.unsafe(headerColumns)} FROM log_events WHERE event_id = ${eventId} AND team_id = ${teamId} LIMIT 1`;
  return row && toHeader(row);
}

/** Headers at these addresses; those dropped by retention are missing from the result. */
export async function readHeaders(
  { sql }: Executor,
  addresses: readonly { readonly shard: number; readonly offset: number; readonly day: string }[],
): Promise<readonly EventHeader[]> {
  if (addresses.length === 0) return [];
  const rows = await sql<HeaderRow[]>`
    SELECT ${sql.unsafe(headerColumns)} FROM log_events
    WHERE (shard, "offset", day) IN (
      SELECT * FROM unnest(
        ${plainArray(addresses.map(({ shard }) => shard))}::smallint[], ${plainArray(addresses.map(({ offset }) => offset))}::bigint[],
        ${plainArray(addresses.map(({ day }) => day))}::date[]))`;
  return rows.map(toHeader);
}

/** Where to start reading a shard: forward at this offset, backward before it. */
export interface TeamPoint {
  readonly shard: number;
  readonly offset: number;
}

export interface TeamQuery {
  readonly teamId: string;
  readonly points: readonly TeamPoint[];
  readonly direction: 'forward' | 'backward';
  /** Partitions outside are not read. */
  readonly fromDay: string;
  readonly toDay?: string;
  /** Both inclusive, ms since the epoch. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly userId?: string | undefined;
  /** null: every type. */
  readonly eventTypes?: readonly string[] | null;
  /** Events of the team examined in each shard, matching or not. */
  readonly limitPerShard: number;
}

/** Result of reading a shard. */
export interface TeamPage {
  readonly shard: number;
  /** In the order of the direction. */
  readonly matches: readonly EventHeader[];
  /** The last event examined, matching or not. */
  readonly last: EventHeader;
  /** There may be more after it. */
  readonly hasMore: boolean;
}

/**
 * Reads a team's own part of the log, headers only, shard by shard. Examines at most `limitPerShard` events per shard, so the cost is
 * however rare matches are. Shards with no events left are missing in the result. Erased events never match.
 */
export async function readTeam({ sql }: Executor, query: TeamQuery): Promise<readonly TeamPage[]> {
  const { teamId, points, direction, fromDay, toDay = 'infinity', sinceMs = null, untilMs = null, userId = null, limitPerShard } = query;
  const types = query.eventTypes ? textArray(query.eventTypes) : null;
  const columns = sql.unsafe(headerColumns);
  const [compare, order] = direction === 'forward' ? [sql`>=`, sql`ASC`] : [sql`<`, sql`DESC`];
  const rows = await sql<(HeaderRow & { matches: boolean; looked: string; is_last: boolean })[]>`
    SELECT h.* FROM unnest(
      ${plainArray(points.map(({ shard }) => shard))}::smallint[], ${plainArray(points.map(({ offset }) => offset))}::bigint[]
    ) AS p(shard, "offset")
    CROSS JOIN LATERAL (
      SELECT r.*, count(*) OVER () AS looked, row_number() OVER (ORDER BY r."offset" ${order}) = count(*) OVER () AS is_last,
             NOT r.is_erased AND (${sinceMs}::bigint IS NULL OR r.written_at >= ${sinceMs}::bigint)
             AND (${untilMs}::bigint IS NULL OR r.written_at <= ${untilMs}::bigint) AND (${userId}::uuid IS NULL OR r.user_id = ${userId}::uuid)
             AND (${types}::text[] IS NULL OR r.event_type = ANY(${types}::text[])) AS matches
      FROM (
        SELECT ${columns} FROM log_events e
        WHERE e.team_id = ${teamId} AND e.shard = p.shard AND e."offset" ${compare} p."offset"
          AND e.day >= ${fromDay}::date AND e.day <= ${toDay}::date
        ORDER BY e."offset" ${order} LIMIT ${limitPerShard}
      ) r
    ) h
    WHERE h.matches OR h.is_last
    ORDER BY h.shard, h."offset" ${order}`;
  const pages = new Map<number, { shard: number; matches: EventHeader[]; last: EventHeader; hasMore: boolean }>();
  for (const row of rows) {
    const header = toHeader(row);
    const one = pages.get(header.shard) ?? { shard: header.shard, matches: [], last: header, hasMore: false };
    if (row.matches) one.matches.push(header);
    if (row.is_last) Object.assign(one, { last: header, hasMore: Number(row.looked) === limitPerShard });
    pages.set(header.shard, one);
  }
  return [...pages.values()];
}
