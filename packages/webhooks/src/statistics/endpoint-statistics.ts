import { and, asc, eq, gte } from 'drizzle-orm';
import { renderDateTime, type StatisticsBody } from '@pulsewire/contract';
import { run, type Executor } from '@pulsewire/database';
import { readHeaders } from '@pulsewire/eventlog';
import { attemptOutcomes } from '../model/attempt-outcome.ts';
import type { EndpointContext } from '../model/context.ts';
import { renderInstant } from '../model/time/instants.ts';
import { findEndpointRow } from '../model/endpoint-row.ts';
import { messageIdOf } from '../model/message-id.ts';
import { webhookPending } from '../model/tables.ts';
import { plainWords } from './plain-words.ts';

/** How many of the newest attempts are read: enough for a p99, and bounded for busy endpoints. */
export const attemptsLookedAt = 20_000;
const waitingMax = 100_000;
/** The most rows of one endpoint that dispatchers lease at once. */
const leasedMax = 4096;
const oldestLooked = 20;

/** Statistics of an endpoint: over the last `hours`, and its current queue. Throws AppError `endpoint_not_found`. */
export async function readStatistics(
  { database, clock }: EndpointContext,
  teamId: string,
  endpointId: string,
  hours: number,
): Promise<StatisticsBody> {
  const endpoint = await findEndpointRow(database, teamId, endpointId);
  const since = new Date(clock.now().getTime() - hours * 3_600_000);
  const [outcomes, queue, oldest, lastError] = await Promise.all([
    readOutcomes(database, endpointId, since),
    readQueue(database, endpointId),
    readOldest(database, endpointId),
    readLastError(database, endpointId, since),
  ]);
  return {
    ...outcomes,
    ...queue,
    oldest_undelivered_at: oldest,
    last_error: lastError,
    disabled: endpoint.isDisabled,
    failing_since: renderInstant(endpoint.failingSince),
  };
}

type Outcomes = Pick<
  StatisticsBody,
  'since' | 'exact' | 'attempts' | 'succeeded' | 'failed' | 'success_rate' | 'duration_p50_ms' | 'duration_p99_ms'
>;

async function readOutcomes({ sql }: Executor, endpointId: string, since: Date): Promise<Outcomes> {
  const iso = since.toISOString();
  const [row] = await sql<{ looked: number; requests: number; succeeded: number; first: string | null; p: number[] | null }[]>`
    SELECT count(*)::int AS looked, count(*) FILTER (WHERE was_sent)::int AS requests, count(*) FILTER (WHERE outcome = ${attemptOutcomes.delivered})::int AS succeeded,
           min(attempted_at) AS first, percentile_disc(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE was_sent) AS p
    FROM (
      SELECT attempted_at, outcome, duration_ms,
             outcome < ${attemptOutcomes.superseded} AND (error IS NULL OR error NOT IN ('event_gone', 'body_unreadable', 'erased')) AS was_sent
      FROM webhook_attempts WHERE endpoint_id = ${endpointId} AND attempted_at >= ${iso} AND day >= ${iso.slice(0, 10)}
      ORDER BY attempted_at DESC LIMIT ${attemptsLookedAt}
    ) a`;
  const { looked = 0, requests = 0, succeeded = 0, first = null, p = null } = row ?? {};
  const exact = looked < attemptsLookedAt;
  return {
    since: exact || first === null ? renderDateTime(since.getTime()) : renderDateTime(Date.parse(first)),
    exact,
    attempts: requests,
    succeeded,
    failed: requests - succeeded,
    success_rate: requests === 0 ? null : succeeded / requests,
    duration_p50_ms: p?.[0] ?? null,
    duration_p99_ms: p?.[1] ?? null,
  };
}

async function readQueue({ sql }: Executor, endpointId: string): Promise<Pick<StatisticsBody, 'in_flight' | 'waiting'>> {
  // Leased rows were due, so they are the first of their kind.
  const [row] = await sql<{ leased: number; rows: number }[]>`
    SELECT (SELECT count(*)::int FROM (VALUES (0::smallint), (1::smallint)) l(lane) CROSS JOIN LATERAL (
              SELECT lease_until FROM webhook_pending
              WHERE endpoint_id = ${endpointId} AND lane = l.lane AND due_at <= now() ORDER BY due_at LIMIT ${leasedMax}
            ) f WHERE f.lease_until > now()) AS leased,
           (SELECT count(*)::int FROM (SELECT FROM webhook_pending WHERE endpoint_id = ${endpointId} LIMIT ${waitingMax}) p) AS rows`;
  const { leased = 0, rows = 0 } = row ?? {};
  return { in_flight: leased, waiting: Math.max(0, rows - leased) };
}

/** Ids sort by creation time, so the first few include the oldest. */
async function readOldest(executor: Executor, endpointId: string): Promise<string | null> {
  const { shard, offset, logDay: day, eventId } = webhookPending;
  const isInLog = and(eq(webhookPending.endpointId, endpointId), gte(shard, 0));
  const rows = await run(
    executor.orm.select({ shard, offset, day }).from(webhookPending).where(isInLog).orderBy(asc(eventId)).limit(oldestLooked),
  );
  const headers = await readHeaders(
    executor,
    rows.map((row) => ({ ...row, offset: Number(row.offset) })),
  );
  return headers.length === 0 ? null : renderDateTime(Math.min(...headers.map(({ writtenAt }) => writtenAt)));
}

async function readLastError({ sql }: Executor, endpointId: string, since: Date): Promise<StatisticsBody['last_error']> {
  const iso = since.toISOString();
  const [row] = await sql<{ attempted_at: string; event_id: string; status: number | null; error: string | null }[]>`
    SELECT attempted_at, event_id, status, error FROM webhook_attempts
    WHERE endpoint_id = ${endpointId} AND outcome > 1 AND outcome < ${attemptOutcomes.superseded} AND attempted_at >= ${iso} AND day >= ${iso.slice(0, 10)}
    ORDER BY attempted_at DESC LIMIT 1`;
  return row === undefined
    ? null
    : {
        at: renderDateTime(Date.parse(row.attempted_at)),
        message_id: messageIdOf(row.event_id),
        response_status: row.status,
        error: row.error,
        text: plainWords(row.status, row.error),
      };
}
