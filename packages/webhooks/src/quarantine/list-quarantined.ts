import type { Executor } from '@pulsewire/database';

/** A delivery whose values Postgres refused. */
export interface QuarantinedDelivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string | null;
  /** The replay that was to send it; null: none. */
  readonly replayId: string | null;
  /** SQLSTATE with which Postgres rejected it. */
  readonly code: string;
  readonly quarantinedAt: Date;
}

/** Lists quarantined deliveries of all teams, newest first, for operators. */
export async function listQuarantined({ sql }: Executor, limit = 100): Promise<readonly QuarantinedDelivery[]> {
  const rows = await sql<
    { endpoint_id: string; event_id: string; event_type: string | null; replay_id: string | null; code: string; at_ms: string }[]
  >`
    SELECT endpoint_id, event_id, event_type, replay_id, code, (extract(epoch FROM quarantined_at) * 1000)::bigint AS at_ms
    FROM webhook_quarantine ORDER BY quarantined_at DESC, endpoint_id, event_id LIMIT ${limit}`;
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    replayId: row.replay_id,
    code: row.code,
    quarantinedAt: new Date(Number(row.at_ms)),
  }));
}
