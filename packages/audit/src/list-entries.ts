import type { Executor } from '@pulsewire/database';
import type { AuditEffect, AuditEntry } from './audit-entry.ts';

export interface AuditFilter {
  /** Null: every team, and what concerns none. For operators alone. */
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

interface Row {
  readonly entry_id: string;
  readonly at: string;
  readonly team_id: string | null;
  readonly actor_kind: 'key' | 'operator';
  readonly actor: string;
  readonly effect: AuditEffect;
  readonly action: string;
  readonly user_id: string | null;
  readonly target: Readonly<Record<string, string>> | null;
  readonly address: string | null;
  readonly status: number;
  readonly request_id: string | null;
}

/** Entries, newest first. */
export async function listAuditEntries({ sql }: Executor, filter: AuditFilter): Promise<readonly AuditEntry[]> {
  const { teamId, userId = null, actor = null, effect = null, beforeId = null, limit } = filter;
  const since = filter.since?.toISOString() ?? null;
  const until = filter.until?.toISOString() ?? null;
  const rows = await sql<Row[]>`
    SELECT entry_id, at, team_id, actor_kind, actor, effect, action, user_id, target, host(address) AS address, status, request_id
    FROM audit_entries
    WHERE ${teamId === null ? sql`true` : sql`team_id = ${teamId}`}
      AND ${userId === null ? sql`true` : sql`user_id = ${userId}`}
      AND ${actor === null ? sql`true` : sql`actor = ${actor}`}
      AND ${effect === null ? sql`true` : sql`effect = ${effect}`}
      AND ${since === null ? sql`true` : sql`at >= ${since} AND day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date`}
      AND ${until === null ? sql`true` : sql`at < ${until} AND day <= (${until}::timestamptz AT TIME ZONE 'UTC')::date`}
      AND ${beforeId === null ? sql`true` : sql`entry_id < ${beforeId}`}
    ORDER BY entry_id DESC LIMIT ${limit}`;
  return rows.map((row) => ({
    entryId: row.entry_id,
    at: new Date(row.at),
    teamId: row.team_id,
    actorKind: row.actor_kind,
    actor: row.actor,
    effect: row.effect,
    action: row.action,
    userId: row.user_id,
    target: row.target,
    address: row.address,
    status: row.status,
    requestId: row.request_id,
  }));
}
