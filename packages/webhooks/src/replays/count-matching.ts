import { utcDay } from '@pulsewire/kernel';
import { isInAllTypes, type ReplayCountBody } from '@pulsewire/contract';
import { plainArray, textArray, type Database } from '@pulsewire/database';
import { readHeaders, readTeam, seekTime, shardsOfUser, type EventHeader, type TeamPoint } from '@pulsewire/eventlog';
import { attemptOutcomes } from '../model/attempt-outcome.ts';
import { dayBefore } from '../model/time/log-days.ts';
import { withoutHidden } from '../messages/hidden-users.ts';
import { advance } from '../messages/merge-pages.ts';
import type { ReplayRequest } from './replay-request.ts';

/** Counting stops after this many events of the log, or failed attempts. */
const countMax = 100_000;
/** Events read by one statement. */
const statementEventsMax = 32_000;
/** Margin for times that are out of order within a shard and for clocks that differ between dispatchers and the log. */
const marginMs = 60_000;

export interface CountedEndpoint {
  readonly endpointId: string;
  readonly teamId: string;
  readonly filterTypes: readonly string[] | null;
}

/** Counts the events that a replay would send. Reads at most about `lookMax` events; `exact` says whether that covered the range. */
export async function countMatching(
  database: Database,
  endpoint: CountedEndpoint,
  request: ReplayRequest & { readonly until: Date },
  lookMax: number = countMax,
): Promise<ReplayCountBody> {
  const [team] = await database.sql<{ push_historical_data: boolean }[]>`
    SELECT push_historical_data FROM teams WHERE team_id = ${endpoint.teamId}`;
  const pushesHistory = team?.push_historical_data ?? true;
  const isTaken = (header: EventHeader): boolean =>
    !header.isErased &&
    (header.origin === 'live' || pushesHistory) &&
    (endpoint.filterTypes?.includes(header.eventType) ?? isInAllTypes(header.eventType)) &&
    (request.eventTypes?.includes(header.eventType) ?? true) &&
    (request.userId === null || header.userId === request.userId) &&
    header.writtenAt >= request.since.getTime() &&
    header.writtenAt <= request.until.getTime();
  return request.selection === 'failed'
    ? countFailed(database, endpoint, request, isTaken)
    : countInLog(database, endpoint, request, isTaken, lookMax);
}

const dayOf = (instant: Date): string => utcDay(instant);

async function countInLog(
  database: Database,
  endpoint: CountedEndpoint,
  { since, until, userId, eventTypes, selection }: ReplayRequest & { readonly until: Date },
  isTaken: (header: EventHeader) => boolean,
  lookMax: number,
): Promise<ReplayCountBody> {
  const all = await seekTime(database, since.getTime());
  const shards = userId === null ? null : shardsOfUser(userId, all.length);
  let points: readonly TeamPoint[] = shards === null ? all : all.filter(({ shard }) => shards.includes(shard));
  // One user has few shards, so each may contribute more events to the same total.
  const size = Math.ceil(Math.min(statementEventsMax, lookMax) / points.length);
  let messages = 0;
  for (let looked = 0; looked < lookMax;) {
    const pages = await readTeam(database, {
      teamId: endpoint.teamId,
      points,
      direction: 'forward',
      // Around midnight an event may still be written to the previous day's partition.
      fromDay: dayBefore(since),
      sinceMs: since.getTime(),
      untilMs: until.getTime(),
      userId: userId ?? undefined,
      eventTypes: eventTypes ?? endpoint.filterTypes,
      limitPerShard: size,
    });
    const matches = pages.flatMap((one) => one.matches);
    messages += await countSelected(database, endpoint.endpointId, selection, await withoutHidden(database, matches.filter(isTaken)));
    // Nothing matches well past the end of the range.
    const open = pages.filter((one) => one.hasMore && one.last.writtenAt <= until.getTime() + marginMs);
    if (open.length === 0) return { messages, exact: true };
    looked += pages.length * size;
    const next = advance(points, pages, matches, 'forward').points;
    points = next.filter(({ shard }) => open.some((one) => one.shard === shard));
  }
  return { messages, exact: false };
}

async function countSelected(
  { sql }: Database,
  endpointId: string,
  selection: ReplayRequest['selection'],
  headers: readonly EventHeader[],
): Promise<number> {
  if (selection === 'all' || headers.length === 0) return headers.length;
  const isSettled = selection === 'missing' ? sql`true` : sql`a.outcome IN (${attemptOutcomes.delivered}, ${attemptOutcomes.superseded})`;
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM unnest(
      ${plainArray(headers.map(({ eventId }) => eventId))}::uuid[], ${plainArray(headers.map(({ shard }) => shard))}::smallint[],
      ${plainArray(headers.map(({ offset }) => offset))}::bigint[], ${plainArray(headers.map(({ day }) => day))}::date[]
    ) AS m(event_id, shard, "offset", day)
    WHERE NOT coalesce((
      SELECT ${isSettled} FROM webhook_attempts a
      WHERE a.shard = m.shard AND a."offset" = m."offset" AND a.day >= m.day - 1 AND a.event_id = m.event_id AND a.endpoint_id = ${endpointId}
      ORDER BY a.attempted_at DESC LIMIT 1), false)`;
  return row?.count ?? 0;
}

/** Counts from the failures, which are few and indexed. No event is attempted before it is written, if clocks agree. */
async function countFailed(
  database: Database,
  { endpointId }: CountedEndpoint,
  { since, eventTypes }: ReplayRequest,
  isTaken: (header: EventHeader) => boolean,
): Promise<ReplayCountBody> {
  const { sql } = database;
  const types = eventTypes === null ? null : textArray(eventTypes);
  const attemptedSince = new Date(since.getTime() - marginMs);
  const rows = await sql<{ event_id: string; shard: number; offset: string; day: string }[]>`
    SELECT f.event_id, f.shard, f."offset", f.day FROM (
      SELECT event_id, shard, "offset", min(log_day) AS day, max(attempted_at) AS attempted_at FROM (
        SELECT event_id, shard, "offset", log_day, attempted_at, event_type FROM webhook_attempts
        WHERE endpoint_id = ${endpointId} AND outcome > 1 AND outcome < ${attemptOutcomes.superseded} AND shard >= 0
          AND attempted_at >= ${attemptedSince.toISOString()} AND day >= ${dayOf(attemptedSince)}
          AND (${types}::text[] IS NULL OR event_type = ANY(${types}::text[]))
        LIMIT ${countMax}
      ) a
      GROUP BY event_id, shard, "offset"
    ) f
    WHERE NOT EXISTS (
      SELECT FROM webhook_attempts s
      WHERE s.shard = f.shard AND s."offset" = f."offset" AND s.day >= f.day - 1 AND s.event_id = f.event_id AND s.endpoint_id = ${endpointId}
        AND s.attempted_at > f.attempted_at AND s.outcome IN (${attemptOutcomes.delivered}, ${attemptOutcomes.superseded}))`;
  const [looked] = await sql<{ failures: number }[]>`
    SELECT count(*)::int AS failures FROM (
      SELECT FROM webhook_attempts
      WHERE endpoint_id = ${endpointId} AND outcome > 1 AND outcome < ${attemptOutcomes.superseded} AND attempted_at >= ${attemptedSince.toISOString()} AND day >= ${dayOf(attemptedSince)}
      LIMIT ${countMax}
    ) n`;
  const failures = looked?.failures ?? 0;
  let messages = 0;
  for (let start = 0; start < rows.length; start += 10_000) {
    const chunk = rows.slice(start, start + 10_000).map((row) => ({ ...row, offset: Number(row.offset) }));
    messages += (await withoutHidden(database, (await readHeaders(database, chunk)).filter(isTaken))).length;
  }
  return { messages, exact: failures < countMax };
}
