import { renderDateTime, type AttemptBody, type AttemptListBody, type AttemptListQuery } from '@pulsewire/contract';
import { messageIdOf } from '../message-id.ts';
import type { EndpointContext } from './context.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { findEndpointRow } from './row.ts';

interface Row {
  attempted_at: string;
  event_id: string;
  event_type: string;
  attempt: number;
  outcome: number;
  status: number | null;
  error: string | null;
  duration_ms: number;
  next_attempt_at: string | null;
}

function toBody(row: Row): AttemptBody {
  return {
    message_id: messageIdOf(row.event_id),
    event_id: row.event_id,
    event_type: row.event_type,
    attempt: row.attempt,
    status: row.outcome === 1 ? 'succeeded' : 'failed',
    response_status: row.status,
    error: row.error,
    duration_ms: row.duration_ms,
    attempted_at: renderDateTime(Date.parse(row.attempted_at)),
    next_attempt_at: row.next_attempt_at === null ? null : renderDateTime(Date.parse(row.next_attempt_at)),
  };
}

/** The delivery log of an endpoint, the newest attempt first. Throws AppErrors `endpoint_not_found`, `cursor_invalid`. */
export async function listAttempts(
  { database }: EndpointContext,
  teamId: string,
  endpointId: string,
  query: AttemptListQuery,
): Promise<AttemptListBody> {
  const { sql } = database;
  await findEndpointRow(database, teamId, endpointId);
  const scope = `attempts:${endpointId}:${query.status ?? ''}`;
  const after = query.next_cursor === undefined ? null : decodeCursor(scope, query.next_cursor);
  // Literal conditions: failures have an index of their own, which a parameter could not choose.
  const byStatus = query.status === undefined ? sql`` : query.status === 'failed' ? sql`AND a.outcome > 1` : sql`AND a.outcome = 1`;
  const byCursor = after === null ? sql`` : sql`AND (a.attempted_at, a.event_id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const rows = await sql<Row[]>`
    SELECT a.attempted_at, a.event_id, a.event_type, a.attempt, a.outcome, a.status, a.error, a.duration_ms, p.due_at AS next_attempt_at
    FROM webhook_attempts a
    LEFT JOIN webhook_pending p ON p.endpoint_id = a.endpoint_id AND p.event_id = a.event_id AND p.attempts = a.attempt
    WHERE a.endpoint_id = ${endpointId} ${byStatus} ${byCursor}
    ORDER BY a.attempted_at DESC, a.event_id DESC LIMIT ${query.limit + 1}`;
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const isLastPage = rows.length <= query.limit || last === undefined;
  return { data: page.map(toBody), next_cursor: isLastPage ? null : encodeCursor(scope, last.attempted_at, last.event_id) };
}
