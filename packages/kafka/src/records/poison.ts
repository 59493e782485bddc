import { plainArray, run, textArray, type Executor } from '@pulsewire/database';
import { isAppError } from '@pulsewire/kernel';
import type { LogEvent } from '@pulsewire/eventlog';
import { logPoison } from './tables.ts';

/** An event that a consumer could not process, and the reason. */
export interface PoisonRecord {
  readonly consumer: string;
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** Stable code. */
  readonly reason: string;
  /** Path within the event; never a value. */
  readonly detail: string;
}

/** The poison record for an event and its error. */
export function poisonOf(
  consumer: string,
  event: Pick<LogEvent, 'shard' | 'offset' | 'day'> & Partial<LogEvent>,
  error: unknown,
): PoisonRecord {
  const details = isAppError(error) ? error.details : {};
  const reason = typeof details['reason'] === 'string' ? details['reason'] : isAppError(error) ? error.code : 'unknown';
  const detail = typeof details['path'] === 'string' ? details['path'] : '';
  const { shard, offset, day, eventId = null, eventType = null } = event;
  return { consumer, shard, offset, day, eventId, eventType, reason, detail };
}

/** Stores poison records. Repeating it changes nothing. */
export async function setAside({ sql }: Executor, records: readonly PoisonRecord[]): Promise<void> {
  if (records.length === 0) return;
  const column = <T>(pick: (record: PoisonRecord) => T): T[] => records.map(pick);
  await sql`
    INSERT INTO log_poison (consumer, shard, "offset", day, event_id, event_type, reason, detail)
    SELECT * FROM unnest(
      ${textArray(column((record) => record.consumer))}::text[], ${plainArray(column((record) => record.shard))}::smallint[],
      ${plainArray(column((record) => record.offset))}::bigint[], ${plainArray(column((record) => record.day))}::date[],
      ${plainArray(column((record) => record.eventId))}::uuid[], ${textArray(column((record) => record.eventType))}::text[],
      ${textArray(column((record) => record.reason))}::text[], ${textArray(column((record) => record.detail))}::text[])
    ON CONFLICT (consumer, shard, "offset") DO NOTHING`;
}

/** Poison records, oldest first. */
export async function listPoison({ orm }: Executor, limit = 100): Promise<readonly (PoisonRecord & { readonly setAsideAt: Date })[]> {
  const { offset, setAsideAt, shard } = logPoison;
  return run(orm.select().from(logPoison).orderBy(setAsideAt, shard, offset).limit(limit));
}

/** Removes poison records. */
export async function forgetPoison(
  { sql }: Executor,
  records: readonly Pick<PoisonRecord, 'consumer' | 'shard' | 'offset'>[],
): Promise<void> {
  if (records.length === 0) return;
  await sql`
    DELETE FROM log_poison p USING unnest(
      ${textArray(records.map((record) => record.consumer))}::text[], ${plainArray(records.map((record) => record.shard))}::smallint[],
      ${plainArray(records.map((record) => record.offset))}::bigint[]) AS r(consumer, shard, "offset")
    WHERE p.consumer = r.consumer AND p.shard = r.shard AND p."offset" = r."offset"`;
}
