import { utcDay } from '@pulsewire/kernel';
import type { AttemptListBody, AttemptListQuery } from '@pulsewire/contract';
import { attemptOutcomes } from '../model/attempt-outcome.ts';
import { toAttemptBody, type AttemptRow } from '../model/attempt-row.ts';
import type { EndpointContext } from '../model/context.ts';
import { decodeCursor, encodeCursor } from '../model/cursor.ts';
import { findEndpointRow } from '../model/endpoint-row.ts';

export interface AttemptQuery {
  readonly status?: AttemptListQuery['status'];
  /** Both inclusive. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly next_cursor?: string | undefined;
  readonly limit: number;
}

/** Lists the attempts of an endpoint, newest first. Throws AppErrors `endpoint_not_found`, `cursor_invalid`. */
export async function listAttempts(
  { database }: EndpointContext,
  teamId: string,
  endpointId: string,
  query: AttemptQuery,
): Promise<AttemptListBody> {
  const { sql } = database;
  const { status, since, until, limit } = query;
  await findEndpointRow(database, teamId, endpointId);
  const scope = `attempts:${[endpointId, status, since?.getTime(), until?.getTime()].join(':')}`;
  const after = query.next_cursor === undefined ? null : decodeCursor(scope, query.next_cursor);
  // `outcome > 1` stays a literal: it selects the partial index of failures.
  const byStatus = {
    succeeded: sql`AND a.outcome = ${attemptOutcomes.delivered}`,
    failed: sql`AND a.outcome > 1 AND a.outcome < ${attemptOutcomes.superseded}`,
    superseded: sql`AND a.outcome > 1 AND a.outcome = ${attemptOutcomes.superseded}`,
    any: sql``,
  }[status ?? 'any'];
  const byTime = [
    since ? sql`AND a.attempted_at >= ${since.toISOString()} AND a.day >= ${utcDay(since)}` : sql``,
    until ? sql`AND a.attempted_at <= ${until.toISOString()} AND a.day <= ${utcDay(until)}` : sql``,
  ];
  const byCursor = after === null ? sql`` : sql`AND (a.attempted_at, a.event_id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const rows = await sql<AttemptRow[]>`
    SELECT a.attempted_at, a.event_id, a.event_type, a.attempt, a.outcome, a.status, a.error, a.duration_ms,
           CASE WHEN NOT e.is_disabled THEN nullif(p.due_at, 'infinity') END AS next_attempt_at
    FROM webhook_attempts a
    LEFT JOIN webhook_endpoints e ON e.endpoint_id = a.endpoint_id
    LEFT JOIN webhook_pending p ON p.endpoint_id = a.endpoint_id AND p.event_id = a.event_id AND p.attempts = a.attempt
    WHERE a.endpoint_id = ${endpointId} ${byStatus} ${byTime} ${byCursor}
    ORDER BY a.attempted_at DESC, a.event_id DESC LIMIT ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isLastPage = rows.length <= limit || last === undefined;
  return { data: page.map(toAttemptBody), next_cursor: isLastPage ? null : encodeCursor(scope, last.attempted_at, last.event_id) };
}
