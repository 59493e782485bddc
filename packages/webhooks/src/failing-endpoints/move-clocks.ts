import { textArray, type Tx } from '@pulsewire/database';
import type { Clocked, Starting } from './read-failures.ts';

const idsOf = (rows: readonly { readonly endpoint_id: string }[]): string => textArray(rows.map((row) => row.endpoint_id));
const sincesOf = (rows: readonly Clocked[]): string => textArray(rows.map((row) => row.failing_since));
const idSet = (rows: readonly { readonly endpoint_id: string }[]): ReadonlySet<string> => new Set(rows.map((row) => row.endpoint_id));

/** Starts clocks that are not running; returns how many. */
export async function startClocks({ sql }: Tx, rows: readonly Starting[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { count } = await sql`
    UPDATE webhook_endpoints e SET failing_since = s.at, failing_warned_at = NULL
    FROM unnest(${idsOf(rows)}::uuid[], ${textArray(rows.map((row) => row.failed_at))}::timestamptz[]) AS s(endpoint_id, at)
    WHERE e.endpoint_id = s.endpoint_id AND e.failing_since IS NULL AND NOT e.is_disabled`;
  return count;
}

/** Ends clocks that are unchanged since they were read; returns how many. */
export async function clearClocks({ sql }: Tx, rows: readonly Clocked[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { count } = await sql`
    UPDATE webhook_endpoints e SET failing_since = NULL, failing_warned_at = NULL
    FROM unnest(${idsOf(rows)}::uuid[], ${sincesOf(rows)}::timestamptz[]) AS s(endpoint_id, since)
    WHERE e.endpoint_id = s.endpoint_id AND e.failing_since = s.since AND NOT e.is_disabled`;
  return count;
}

/** Marks endpoints as warned; returns those that were not marked before. */
export async function recordWarned({ sql }: Tx, rows: readonly Clocked[], now: Date): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  return idSet(
    await sql<{ endpoint_id: string }[]>`
    UPDATE webhook_endpoints e SET failing_warned_at = ${now.toISOString()}
    FROM unnest(${idsOf(rows)}::uuid[], ${sincesOf(rows)}::timestamptz[]) AS s(endpoint_id, since)
    WHERE e.endpoint_id = s.endpoint_id AND e.failing_since = s.since AND e.failing_warned_at IS NULL AND NOT e.is_disabled
    RETURNING e.endpoint_id`,
  );
}

/** Disables endpoints whose clock is unchanged since it was read; returns those that were not already disabled. */
export async function disableFailing({ sql }: Tx, rows: readonly Clocked[], now: Date): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const at = now.toISOString();
  // The clock stays in the row, because it shows when events stopped arriving.
  return idSet(
    await sql<{ endpoint_id: string }[]>`
    UPDATE webhook_endpoints e SET is_disabled = true, disabled_reason = 'failing', disabled_at = ${at}, updated_at = ${at}
    FROM unnest(${idsOf(rows)}::uuid[], ${sincesOf(rows)}::timestamptz[]) AS s(endpoint_id, since)
    WHERE e.endpoint_id = s.endpoint_id AND e.failing_since = s.since AND NOT e.is_disabled
    RETURNING e.endpoint_id`,
  );
}
