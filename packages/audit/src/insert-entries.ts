import { plainArray, textArray, type Executor } from '@pulsewire/database';
import type { AuditEntry } from './audit-entry.ts';

/** Writes entries in one statement. An entry that is there already, from a write whose response was lost, is left as it is. */
export async function insertEntries({ sql }: Executor, entries: readonly AuditEntry[]): Promise<void> {
  const texts = (pick: (entry: AuditEntry) => string | null) => textArray(entries.map(pick));
  await sql`
    INSERT INTO audit_entries (day, entry_id, at, team_id, actor_kind, actor, effect, action, user_id, target, address, status, request_id)
    SELECT (e.at AT TIME ZONE 'UTC')::date, e.*
    FROM unnest(
      ${plainArray(entries.map(({ entryId }) => entryId))}::uuid[], ${plainArray(entries.map(({ at }) => at.toISOString()))}::timestamptz[],
      ${plainArray(entries.map(({ teamId }) => teamId))}::uuid[], ${texts(({ actorKind }) => actorKind)}::text[],
      ${texts(({ actor }) => actor)}::text[], ${texts(({ effect }) => effect)}::text[], ${texts(({ action }) => action)}::text[],
      ${plainArray(entries.map(({ userId }) => userId))}::uuid[],
      ${texts(({ target }) => (target === null ? null : JSON.stringify(target)))}::jsonb[],
      ${texts(({ address }) => address)}::inet[], ${plainArray(entries.map(({ status }) => status))}::smallint[],
      ${texts(({ requestId }) => requestId)}::text[]
    ) AS e(entry_id, at, team_id, actor_kind, actor, effect, action, user_id, target, address, status, request_id)
    ON CONFLICT DO NOTHING`;
}
