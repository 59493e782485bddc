import {
  isDataError,
  plainArray,
  textArray,
  writeBisecting,
  type Database,
  type Executor,
  type Refused,
  run,
  dropDailyPartitions,
  ensureDailyPartitions,
} from '@pulsewire/database';
import { addDays } from '@pulsewire/kernel';
import { and, desc, eq, gte, lt, lte, sql as fragment } from 'drizzle-orm';
import type { AuditEntry, AuditEffect } from './audit-entry.ts';
import { auditEntries } from './tables.ts';

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

export interface AuditFilter {
  /** Null: every team, and entries of no team. For operators only. */
  readonly teamId: string | null;
  readonly userId?: string | undefined;
  readonly actor?: string | undefined;
  readonly effect?: AuditEffect | undefined;
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** Entries before this one. */
  readonly beforeId?: string | undefined;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** Entries, newest first. */
export async function listAuditEntries({ orm }: Executor, filter: AuditFilter): Promise<readonly AuditEntry[]> {
  const { teamId, userId, actor, effect, beforeId, limit } = filter;
  const { day, ...columns } = auditEntries;
  const { entryId, at, actorKind, action, target, status, requestId } = columns;
  const [since, until] = [filter.since?.toISOString(), filter.until?.toISOString()];
  const conditions = [
    ...(teamId === null ? [] : [eq(columns.teamId, teamId)]),
    ...(userId === undefined ? [] : [eq(columns.userId, userId)]),
    ...(actor === undefined ? [] : [eq(columns.actor, actor)]),
    ...(effect === undefined ? [] : [eq(columns.effect, effect)]),
    // The day selects the partitions.
    ...(since === undefined ? [] : [gte(at, since), gte(day, since.slice(0, 10))]),
    ...(until === undefined ? [] : [lt(at, until), lte(day, until.slice(0, 10))]),
    ...(beforeId === undefined ? [] : [lt(entryId, beforeId)]),
  ];
  const rows = await run(
    orm
      .select({
        entryId,
        at,
        teamId: columns.teamId,
        actorKind,
        actor: columns.actor,
        effect: columns.effect,
        action,
        userId: columns.userId,
        target,
        // Without the network mask that inet prints.
        address: fragment<string | null>`host(${columns.address})`,
        status,
        requestId,
      })
      .from(auditEntries)
      .where(and(...conditions))
      .orderBy(desc(entryId))
      .limit(limit),
  );
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** Days of partitions created ahead, so that an outage of the scheduler does no harm. */
const daysAhead = 7;

/** Creates the partitions from `today` on and drops those older than `keepDays`; returns the names of the dropped ones. */
export async function maintainAudit(
  database: Database,
  options: { readonly today: string; readonly keepDays: number },
): Promise<readonly string[]> {
  await ensureDailyPartitions(database, 'audit_entries', { from: options.today, days: daysAhead });
  return dropDailyPartitions(database, 'audit_entries', addDays(options.today, -options.keepDays));
}
