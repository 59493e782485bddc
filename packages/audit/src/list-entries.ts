import { run, type Executor } from '@pulsewire/database';
import { and, desc, eq, gte, lt, lte, sql } from 'drizzle-orm';
import type { AuditEffect, AuditEntry } from './audit-entry.ts';
import { auditEntries } from './tables.ts';

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
        address: sql<string | null>`host(${columns.address})`,
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
