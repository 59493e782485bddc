import { plainArray, type Tx } from '@pulsewire/database';

/** A response that was received again: what it contained counts as received at `to`, too. */
export interface ConfirmedVersion {
  /** The version under which its records were written or found equal. */
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Records that responses were received again whose records were not written at all, because nothing in them had changed: what would have
 * been written then is written now. Only for versions at which every record of the response left a receipt, as a response does that changed
 * nothing. The caller holds the user's lock.
 */
export async function confirmVersions({ sql }: Tx, userId: string, confirmed: readonly ConfirmedVersion[]): Promise<void> {
  if (confirmed.length === 0) return;
  const from = plainArray(confirmed.map((version) => version.from.toString()));
  const to = plainArray(confirmed.map((version) => version.to.toString()));
  await sql`
    INSERT INTO sample_receipts (user_source_id, series, version, day, from_ts, to_ts, keys)
    SELECT r.user_source_id, r.series, c.seen, (now() AT TIME ZONE 'UTC')::date, r.from_ts, r.to_ts, r.keys
    FROM unnest(${from}::bigint[], ${to}::bigint[]) AS c(version, seen)
    JOIN sources s ON s.user_id = ${userId}
    JOIN sample_receipts r ON r.user_source_id = s.user_source_id AND r.version = c.version AND NOT r.is_removal`;
  await sql`
    INSERT INTO summary_receipts (user_id, version, day, ids)
    SELECT r.user_id, c.seen, (now() AT TIME ZONE 'UTC')::date, r.ids
    FROM unnest(${from}::bigint[], ${to}::bigint[]) AS c(version, seen)
    JOIN summary_receipts r ON r.user_id = ${userId} AND r.version = c.version AND NOT r.is_removal`;
  await sql`
    UPDATE workout_streams s SET version = c.seen FROM unnest(${from}::bigint[], ${to}::bigint[]) AS c(version, seen)
    WHERE s.user_id = ${userId} AND s.version = c.version`;
}
