import { utcDay } from '@pulsewire/kernel';
import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import { webhookEndpoints } from '../model/tables.ts';
import { attemptOutcomes } from '../model/attempt-outcome.ts';
import { failuresMin, spreadMs, windowMs } from './failure-clock.ts';

// Errors of attempts that made no request, or that we or the receiver aborted deliberately: they do not count against the endpoint.
const notItsFault = textArray(['event_gone', 'body_unreadable', 'erased', 'aborted', 'aborted_by_receiver']);

/** Timestamps are Postgres' text with microseconds, because updates compare with them. */
export interface Starting {
  readonly endpoint_id: string;
  readonly failed_at: string;
}

export interface Clocked {
  readonly endpoint_id: string;
  readonly team_id: string;
  readonly failing_since: string;
  readonly is_warned: boolean;
  readonly has_succeeded: boolean;
  readonly failed_at: string | null;
  readonly status: number | null;
}

/**
 * Endpoints after `afterId` whose clock starts at `now`: several failures within a day, half a day from the first to the last, and no
 * success among them. `last` is where the next page starts, null at the end. An endpoint without an old failure costs one index lookup.
 */
export async function readStarting(
  { sql, orm }: Tx,
  page: { readonly afterId: string; readonly limit: number; readonly now: Date },
): Promise<{ readonly starting: readonly Starting[]; readonly last: string | null }> {
  const from = new Date(page.now.getTime() - windowMs);
  const half = new Date(page.now.getTime() - spreadMs).toISOString();
  const day = utcDay(from);
  const since = from.toISOString();
  const { endpointId, isDisabled, failingSince } = webhookEndpoints;
  const endpoints = await run(
    orm
      .select({ endpointId })
      .from(webhookEndpoints)
      .where(and(gt(endpointId, page.afterId), eq(isDisabled, false), isNull(failingSince)))
      .orderBy(asc(endpointId))
      .limit(page.limit),
  );
  const last = endpoints.length < page.limit ? null : (endpoints.at(-1)?.endpointId ?? null);
  if (endpoints.length === 0) return { starting: [], last };
  const ids = plainArray(endpoints.map((row) => row.endpointId));
  const starting = await sql<Starting[]>`
    SELECT e.endpoint_id, w.failed_at
    FROM unnest(${ids}::uuid[]) AS e(endpoint_id)
    CROSS JOIN LATERAL (
      SELECT FROM webhook_attempts a
      WHERE a.endpoint_id = e.endpoint_id AND a.day >= ${day}::date AND a.outcome > 1 AND a.attempted_at BETWEEN ${since} AND ${half} LIMIT 1
    ) old
    LEFT JOIN LATERAL (
      SELECT a.attempted_at FROM webhook_attempts a
      WHERE a.endpoint_id = e.endpoint_id AND a.day >= ${day}::date AND a.outcome = ${attemptOutcomes.delivered} AND a.attempted_at >= ${since}
      ORDER BY a.attempted_at DESC LIMIT 1
    ) s ON true
    CROSS JOIN LATERAL (
      SELECT count(*) AS failures, min(a.attempted_at) AS first_at, max(a.attempted_at) AS failed_at FROM webhook_attempts a
      WHERE a.endpoint_id = e.endpoint_id AND a.day >= ${day}::date AND a.outcome > 1 AND a.outcome IN (${attemptOutcomes.failed}, ${attemptOutcomes.exhausted})
        AND a.attempted_at BETWEEN coalesce(s.attempted_at, ${since}) AND ${page.now.toISOString()} AND coalesce(a.error, '') <> ALL(${notItsFault}::text[])
    ) w
    WHERE w.failures >= ${failuresMin} AND w.failed_at - w.first_at >= ${spreadMs} * interval '1 ms'`;
  return { starting, last };
}

/** Endpoints after `afterId` whose clock is running, with their latest failure and whether any delivery succeeded since it started. */
export async function readClocked(
  { sql }: Tx,
  { afterId, limit, now }: { readonly afterId: string; readonly limit: number; readonly now: Date },
): Promise<readonly Clocked[]> {
  return sql<Clocked[]>`
    SELECT e.endpoint_id, e.team_id, e.failing_since, e.failing_warned_at IS NOT NULL AS is_warned, f.attempted_at AS failed_at, f.status,
           EXISTS (
             SELECT FROM webhook_attempts a
             WHERE a.endpoint_id = e.endpoint_id AND a.day >= (e.failing_since AT TIME ZONE 'UTC')::date AND a.outcome = ${attemptOutcomes.delivered}
               AND a.attempted_at >= e.failing_since
           ) AS has_succeeded
    FROM webhook_endpoints e
    LEFT JOIN LATERAL (
      SELECT a.attempted_at, a.status FROM webhook_attempts a
      WHERE a.endpoint_id = e.endpoint_id AND a.day >= (e.failing_since AT TIME ZONE 'UTC')::date AND a.outcome > 1 AND a.outcome IN (${attemptOutcomes.failed}, ${attemptOutcomes.exhausted})
        AND a.attempted_at BETWEEN e.failing_since AND ${now.toISOString()} AND coalesce(a.error, '') <> ALL(${notItsFault}::text[])
      ORDER BY a.attempted_at DESC LIMIT 1
    ) f ON true
    WHERE e.failing_since IS NOT NULL AND NOT e.is_disabled AND e.endpoint_id > ${afterId}
    ORDER BY e.endpoint_id LIMIT ${limit}`;
}
