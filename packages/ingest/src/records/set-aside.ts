import type { Quarantined } from '@pulsewire/contract';
import { textArray, type Tx } from '@pulsewire/database';
import type { RefusedRecord } from '@pulsewire/store';
import type { Pullable } from '../context/pullable.ts';

/** Quarantine is for single bad items; a page that is bad throughout is not worth a thousand entries. */
const quarantineRowsMax = 500;

/** The quarantine reason for a value that Postgres refused, such as `sqlstate_22003`. */
export const refusalReason = (code: string): string => `sqlstate_${code}`;

function timeText(ms: number | undefined): string {
  return ms !== undefined && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : 'unknown';
}

/** The description of a refused record for operators: its resource, the SQLSTATE, and its id or time; never a value. */
export function quarantinedOf({ record, code }: RefusedRecord): Quarantined {
  const { resource } = record;
  const reason = refusalReason(code);
  if (record.kind === 'samples') return { resource, reason, pointer: `/samples/${timeText(record.samples[0]?.ts)}` };
  if (record.kind === 'sample_removal') return { resource, reason, pointer: `/removals/${timeText(record.ts[0])}` };
  if (record.kind === 'stream') return { resource, reason, pointer: `/streams/${record.workoutId}` };
  return { resource, reason, pointer: `/summaries/${record.id}` };
}

// Postgres accepts no NUL in text, and a quarantine entry must never be refused itself.
const cleaned = (items: readonly Quarantined[], pick: (item: Quarantined) => string) =>
  textArray(items.map((item) => pick(item).toWellFormed().replaceAll('\0', '')));

/** Records in the quarantine which parts of a window's pages could not be stored, and why. */
export async function setAside(
  { sql }: Tx,
  { connection }: Pick<Pullable, 'connection'>,
  windowId: string,
  quarantined: readonly Quarantined[],
  now: Date,
): Promise<void> {
  const seen = new Map(quarantined.map((item) => [`${item.resource} ${item.reason} ${item.pointer}`, item]));
  const items = [...seen.values()].slice(0, quarantineRowsMax);
  if (items.length === 0) return;
  const at = now.toISOString();
  await sql`
    INSERT INTO quarantine AS q (window_id, resource, reason, pointer, connection_id, team_id, user_id, first_seen_at, last_seen_at)
    SELECT DISTINCT ${windowId}::bigint, n.resource, n.reason, n.pointer, ${connection.connectionId}::uuid, ${connection.teamId}::uuid, ${connection.userId}::uuid, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${cleaned(items, (item) => item.resource)}::text[], ${cleaned(items, (item) => item.reason)}::text[],
      ${cleaned(items, (item) => item.pointer)}::text[]) AS n(resource, reason, pointer)
    ON CONFLICT (window_id, resource, reason, pointer) DO UPDATE SET sightings = q.sightings + 1, last_seen_at = excluded.last_seen_at`;
}
