import { isDataError, plainArray, textArray, writeBisecting, type Database, type Executor, type Refused } from '@pulsewire/database';
import type { AuditEntry } from './audit-entry.ts';

/** Where entries are written. */
export type AuditDatabase = Pick<Database, 'sql' | 'orm' | 'transaction'>;

type Repeats = 'fail' | 'pass';

async function insert({ sql }: Executor, entries: readonly AuditEntry[], repeats: Repeats): Promise<void> {
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
    ${repeats === 'pass' ? sql`ON CONFLICT DO NOTHING` : sql``}`;
}

/**
 * Writes entries in one statement, and returns those that Postgres refuses for their values. ON CONFLICT makes a row a sixth more
 * expensive, so only a batch that failed is written with it: one that is stored already because the response to the first write was lost,
 * or one with an entry that cannot be stored.
 */
export async function insertEntries(database: AuditDatabase, entries: readonly AuditEntry[]): Promise<readonly Refused<AuditEntry>[]> {
  try {
    await insert(database, entries, 'fail');
    return [];
  } catch (error) {
    if (!isDataError(error)) throw error;
    return database.transaction((tx) => writeBisecting(tx, entries, (inner, some) => insert(inner, some, 'pass')));
  }
}
