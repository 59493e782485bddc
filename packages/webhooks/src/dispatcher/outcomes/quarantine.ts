import { plainArray, textArray, type Refused, type Tx } from '@pulsewire/database';

/** A delivery, identified by the log address of its event. */
export interface QuarantineItem {
  readonly endpointId: string;
  readonly eventId: string;
  readonly shard: number;
  readonly offset: number;
  readonly day: string;
  readonly userId: string | null;
  readonly eventType: string;
  readonly replayId: string | null;
}

/** Stores deliveries whose values Postgres rejected, with the SQLSTATE, and removes their pending rows; they are not retried. */
export async function quarantine(tx: Tx, refused: readonly Refused<QuarantineItem>[]): Promise<void> {
  if (refused.length === 0) return;
  const column = (pick: (item: QuarantineItem) => string | number | null): string => plainArray(refused.map(({ item }) => pick(item)));
  // Values are sanitised and clamped, because a rejection here would block what the quarantine must unblock.
  await tx.sql`
    INSERT INTO webhook_quarantine (endpoint_id, event_id, shard, "offset", log_day, user_id, event_type, replay_id, code, quarantined_at)
    SELECT DISTINCT ON (endpoint_id, event_id) endpoint_id, event_id, shard, "offset", log_day, user_id, event_type, replay_id, code, clock_timestamp()
    FROM unnest(
      ${column(({ endpointId }) => endpointId)}::uuid[], ${column(({ eventId }) => eventId)}::uuid[], ${column(({ shard }) => shard)}::smallint[], ${column(({ offset }) => offset)}::bigint[],
      ${column(({ day }) => day)}::date[], ${column(({ userId }) => userId)}::uuid[],
      ${textArray(refused.map(({ item }) => item.eventType.replaceAll('\0', '')))}::text[], ${column(({ replayId }) => replayId)}::uuid[],
      ${textArray(refused.map(({ code }) => code))}::text[]
    ) AS q(endpoint_id, event_id, shard, "offset", log_day, user_id, event_type, replay_id, code)
    ON CONFLICT (endpoint_id, event_id) DO UPDATE SET code = EXCLUDED.code, quarantined_at = EXCLUDED.quarantined_at`;
  await removeRows(
    tx,
    refused.map(({ item }) => item),
  );
}

/** Nothing is sent for these any more. */
export async function removeRows({ sql }: Tx, items: readonly Pick<QuarantineItem, 'endpointId' | 'eventId'>[]): Promise<void> {
  if (items.length === 0) return;
  await sql`
    DELETE FROM webhook_pending w USING unnest(
      ${plainArray(items.map(({ endpointId }) => endpointId))}::uuid[], ${plainArray(items.map(({ eventId }) => eventId))}::uuid[]) AS q(endpoint_id, event_id)
    WHERE w.endpoint_id = q.endpoint_id AND w.event_id = q.event_id`;
}
