import type { DeliveryBody } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';
import { attemptOutcomes } from '../model/attempt-outcome.ts';
import { renderInstant } from '../model/time/instants.ts';

/** A message's id and the address of its event in the log. */
export interface MessageAddress {
  readonly eventId: string;
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
}

interface Row {
  event_id: string;
  endpoint_id: string;
  attempt: number | null;
  outcome: number | null;
  attempted_at: string | null;
  waiting_attempts: number | null;
  due_at: string | null;
}

const statuses: Readonly<Record<number, string>> = { [attemptOutcomes.delivered]: 'succeeded', [attemptOutcomes.superseded]: 'superseded' };

function toBody(row: Row): DeliveryBody {
  const isWaiting = row.waiting_attempts !== null;
  return {
    webhook_id: row.endpoint_id,
    status: isWaiting ? 'waiting' : (statuses[row.outcome ?? 0] ?? 'failed'),
    attempts: row.waiting_attempts ?? row.attempt ?? 0,
    last_attempt_at: renderInstant(row.attempted_at),
    next_attempt_at: isWaiting ? renderInstant(row.due_at) : null,
  };
}

/** The deliveries of a team's messages at each endpoint that received them or for which they wait, by event id. */
export async function readDeliveries(
  { sql }: Executor,
  teamId: string,
  messages: readonly MessageAddress[],
): Promise<ReadonlyMap<string, readonly DeliveryBody[]>> {
  if (messages.length === 0) return new Map();
  const rows = await sql<Row[]>`
    WITH m AS (
      SELECT * FROM unnest(
        ${plainArray(messages.map(({ eventId }) => eventId))}::uuid[], ${plainArray(messages.map(({ shard }) => shard))}::smallint[],
        ${plainArray(messages.map(({ offset }) => offset))}::bigint[], ${plainArray(messages.map(({ day }) => day))}::date[]
      ) AS m(event_id, shard, "offset", day)
    ),
    made AS (
      SELECT DISTINCT ON (a.event_id, a.endpoint_id) a.event_id, a.endpoint_id, a.attempt, a.outcome, a.attempted_at
      FROM m CROSS JOIN LATERAL (
        SELECT a.* FROM webhook_attempts a
        WHERE a.shard = m.shard AND a."offset" = m."offset" AND a.day >= m.day - 1 AND a.event_id = m.event_id
      ) a
      ORDER BY a.event_id, a.endpoint_id, a.attempted_at DESC
    ),
    waiting AS (
      SELECT p.event_id, p.endpoint_id, p.attempts, CASE WHEN NOT e.is_disabled THEN p.due_at END AS due_at
      FROM webhook_endpoints e CROSS JOIN m
      JOIN webhook_pending p ON p.endpoint_id = e.endpoint_id AND p.event_id = m.event_id
      WHERE e.team_id = ${teamId}
    )
    SELECT event_id, endpoint_id, made.attempt, made.outcome, made.attempted_at, waiting.attempts AS waiting_attempts, waiting.due_at
    FROM made FULL JOIN waiting USING (event_id, endpoint_id)
    ORDER BY event_id, endpoint_id`;
  const deliveries = new Map<string, DeliveryBody[]>();
  for (const row of rows) {
    const list = deliveries.get(row.event_id) ?? [];
    list.push(toBody(row));
    deliveries.set(row.event_id, list);
  }
  return deliveries;
}
