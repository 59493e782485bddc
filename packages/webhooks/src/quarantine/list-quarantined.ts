import { asc, desc } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { instantMs } from '../model/time/instants.ts';
import { webhookQuarantine } from '../model/tables.ts';

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
export async function listQuarantined({ orm }: Executor, limit = 100): Promise<readonly QuarantinedDelivery[]> {
  const { endpointId, eventId, eventType, replayId, code, quarantinedAt } = webhookQuarantine;
  const rows = await run(
    orm
      .select({ endpointId, eventId, eventType, replayId, code, quarantinedAt })
      .from(webhookQuarantine)
      .orderBy(desc(quarantinedAt), asc(endpointId), asc(eventId))
      .limit(limit),
  );
  return rows.map((row) => ({ ...row, quarantinedAt: new Date(instantMs(row.quarantinedAt)) }));
}
