import { plainArray, textArray, type Executor, type Tx } from '@pulsewire/database';
import { readEvents, readTeam, type EventHeader } from '@pulsewire/eventlog';
import type { RunningReplay } from './lease-replay.ts';
import { rowKinds } from '../retries/claim-due.ts';
import { attemptOutcomes } from '../../model/attempt-outcome.ts';
import type { ReplayProgress } from '../../model/tables.ts';
import { dayBefore } from '../../model/time/log-days.ts';
import type { MessageRouter } from '../../routing/message-router.ts';
import { takesType, type Endpoint, type TeamRoutes } from '../../routing/route.ts';

/** A message to be sent (again) to the endpoint. */
export interface Match {
  readonly eventId: string;
  readonly eventType: string;
  readonly header: EventHeader;
}

const bodiesAtOnce = 50;

export interface MatchedBatch {
  readonly matches: readonly Match[];
  readonly progress: ReplayProgress;
}

/**
 * The next messages of a replay after these points that the endpoint would receive now, at most about `capacity`. Events are read without their
 * bodies, unless a deprecation may derive messages from them.
 */
export async function matchBatch(
  executor: Executor,
  parts: {
    readonly replay: RunningReplay;
    readonly team: TeamRoutes;
    readonly endpoint: Endpoint;
    readonly router: MessageRouter;
    isHidden(userId: string | null): boolean;
  },
  { points, shardCount }: Required<ReplayProgress>,
  capacity: number,
): Promise<MatchedBatch> {
  const { replay, team, endpoint, router } = parts;
  const { sinceMs, untilMs, userId, eventTypes } = replay;
  if (points.length === 0) return { matches: [], progress: { points, shardCount } };
  // With little capacity only some shards are read at once.
  const [read, later] = [points.slice(0, capacity), points.slice(capacity)];
  const derives = router.derives(team);
  const pages = await readTeam(executor, {
    teamId: team.teamId,
    points: read,
    direction: 'forward',
    // The clocks of writers may differ.
    fromDay: dayBefore(new Date(sinceMs)),
    sinceMs,
    untilMs,
    userId: userId ?? undefined,
    eventTypes: derives ? null : eventTypes,
    limitPerShard: Math.max(1, Math.floor(capacity / read.length)),
  });
  const headers = pages
    .flatMap((page) => page.matches)
    .filter(({ origin, userId: of }) => (origin === 'live' || team.pushesHistoricalData) && !parts.isHidden(of));
  const matches = derives
    ? await derive(executor, headers, parts)
    : headers.map((header) => ({ eventId: header.eventId, eventType: header.eventType, header }));
  const wanted = matches.filter(
    ({ eventType }) => takesType(endpoint, eventType) && (eventTypes === null || eventTypes.includes(eventType)),
  );
  // Nothing matches after the end of the range, plus a minute because clocks differ.
  const open = pages.filter(({ hasMore, last }) => hasMore && last.writtenAt <= untilMs + 60_000);
  return {
    matches: await select(executor, replay, wanted),
    progress: { points: [...later, ...open.map(({ shard, last }) => ({ shard, offset: last.offset + 1 }))], shardCount },
  };
}

async function derive(
  executor: Executor,
  headers: readonly EventHeader[],
  { team, router }: { readonly team: TeamRoutes; readonly router: MessageRouter },
): Promise<readonly Match[]> {
  const matches: Match[] = [];
  for (let start = 0; start < headers.length; start += bodiesAtOnce) {
    const chunk = headers.slice(start, start + bodiesAtOnce);
    const byAddress = new Map(chunk.map((header) => [`${header.shard}:${header.offset}`, header]));
    for (const event of await readEvents(executor, chunk)) {
      const header = byAddress.get(`${event.shard}:${event.offset}`);
      if (header === undefined) continue;
      for (const { eventId, eventType } of router.messagesOf(event, team)) matches.push({ eventId, eventType, header });
    }
  }
  return matches;
}

/** Filters by attempts according to the replay's selection. */
async function select({ sql }: Executor, { selection, endpointId }: RunningReplay, matches: readonly Match[]): Promise<readonly Match[]> {
  if (selection === 'all' || matches.length === 0) return matches;
  const rows = await sql<{ is_known: boolean; is_delivered: boolean }[]>`
    SELECT l.outcome IS NOT NULL AS is_known, coalesce(l.outcome IN (${attemptOutcomes.delivered}, ${attemptOutcomes.superseded}), false) AS is_delivered
    FROM unnest(
      ${plainArray(matches.map(({ eventId }) => eventId))}::uuid[], ${plainArray(matches.map(({ header }) => header.shard))}::smallint[],
      ${plainArray(matches.map(({ header }) => header.offset))}::bigint[], ${plainArray(matches.map(({ header }) => header.day))}::date[]
    ) WITH ORDINALITY AS m(event_id, shard, "offset", day, ord)
    LEFT JOIN LATERAL (
      SELECT a.outcome FROM webhook_attempts a
      WHERE a.shard = m.shard AND a."offset" = m."offset" AND a.day >= m.day - 1 AND a.event_id = m.event_id AND a.endpoint_id = ${endpointId}
      ORDER BY a.attempted_at DESC LIMIT 1
    ) l ON true
    ORDER BY m.ord`;
  return matches.filter((_, index) => {
    const known = rows[index]?.is_known === true;
    const isMissing = selection !== 'failed' && !known;
    const hasFailed = selection !== 'missing' && known && rows[index]?.is_delivered !== true;
    return isMissing || hasFailed;
  });
}

/**
 * Inserts rows that are due now; a row that already waits becomes due now. A row of a cancelled replay is moved to this replay, or it would
 * be removed with the cancelled one. Returns how many are enqueued.
 */
export async function insertReplayRows({ sql }: Tx, replay: RunningReplay, matches: readonly Match[]): Promise<number> {
  if (matches.length === 0) return 0;
  const isAbandoned = sql`(w.replay_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM webhook_replays r WHERE r.replay_id = w.replay_id AND r.status IN ('running', 'completed')))`;
  const result = await sql`
    INSERT INTO webhook_pending AS w (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, lane, replay_id, user_id, event_type)
    SELECT e.endpoint_id, m.event_id, m.shard, m."offset", m.day, 0, clock_timestamp(), ${rowKinds.replay}, ${replay.replayId}, m.user_id, m.event_type
    FROM unnest(
      ${plainArray(matches.map(({ eventId }) => eventId))}::uuid[], ${plainArray(matches.map(({ header }) => header.shard))}::smallint[],
      ${plainArray(matches.map(({ header }) => header.offset))}::bigint[], ${plainArray(matches.map(({ header }) => header.day))}::date[],
      ${plainArray(matches.map(({ header }) => header.userId))}::uuid[], ${textArray(matches.map(({ eventType }) => eventType))}::text[]
    ) AS m(event_id, shard, "offset", day, user_id, event_type)
    JOIN webhook_endpoints e ON e.endpoint_id = ${replay.endpointId}
    ORDER BY m.event_id
    ON CONFLICT (endpoint_id, event_id) DO UPDATE
    SET due_at = CASE WHEN w.lease_owner IS NULL THEN clock_timestamp() ELSE w.due_at END,
        replay_id = CASE WHEN ${isAbandoned} THEN EXCLUDED.replay_id ELSE w.replay_id END
    WHERE (w.lease_owner IS NULL AND w.due_at < 'infinity' AND w.attempts > 0) OR ${isAbandoned}`;
  return result.count;
}
