import { and, eq, inArray, ne, or } from 'drizzle-orm';
import { run, textArray, type Executor, plainArray } from '@pulsewire/database';
import { fromStored, toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';
import { toDate } from '../model/rows.ts';
import { connections } from '../model/tables.ts';

/** The live connections of some users of a team, oldest first. */
export async function listConnections({ orm }: Executor, teamId: string, userIds: readonly string[]): Promise<readonly Connection[]> {
  if (userIds.length === 0) return [];
  const isListed = and(eq(connections.teamId, teamId), inArray(connections.userId, [...userIds]));
  const rows = await run(orm.select().from(connections).where(isListed).orderBy(connections.createdAt, connections.connectionId));
  return rows.map(fromStored);
}

/** The days that a connection shares with another of the same person, at the provider's successor or predecessor; null: unbounded. */
export interface HandoverBounds {
  /** The first local day that is read from this connection, and its first instant (ms since the epoch). */
  readonly start: { readonly day: string; readonly ms: number } | null;
  /** The first local day that is not read from it any more. */
  readonly end: { readonly day: string; readonly ms: number } | null;
}

/** A connection with the facts about its user that a pull needs. */
export interface PullConnection extends Connection {
  readonly clientUserId: string;
  readonly fallbackTimeZone: string | null;
  readonly fallbackBirthDate: string | null;
  /** The first and last day that may be read: by the user's bounds and by a handover. */
  readonly ingestionStart: string | null;
  readonly ingestionEnd: string | null;
  /** Whether raw forms of records are stored for the team. */
  readonly keepsRaw: boolean;
  /** Absent: the connection was not handed over. */
  readonly handover?: HandoverBounds;
}

type PullRow = ConnectionRow & {
  readonly client_user_id: string;
  readonly fallback_time_zone: string | null;
  readonly fallback_birth_date: string | null;
  readonly ingestion_start: string | null;
  readonly ingestion_end: string | null;
  readonly keeps_raw: boolean;
  readonly starts_on: string | null;
  readonly starts_at: string | null;
  readonly ends_on: string | null;
  readonly ends_at: string | null;
};

const boundOf = (day: string | null, at: string | null) => (day === null || at === null ? null : { day, ms: toDate(at).getTime() });

function handoverOf(row: PullRow): Pick<PullConnection, 'handover'> {
  const [start, end] = [boundOf(row.starts_on, row.starts_at), boundOf(row.ends_on, row.ends_at)];
  return start === null && end === null ? {} : { handover: { start, end } };
}

function toPullConnection(row: PullRow): PullConnection {
  return {
    ...toConnection(row),
    clientUserId: row.client_user_id,
    fallbackTimeZone: row.fallback_time_zone,
    fallbackBirthDate: row.fallback_birth_date,
    ingestionStart: row.ingestion_start,
    ingestionEnd: row.ingestion_end,
    keepsRaw: row.keeps_raw,
    ...handoverOf(row),
  };
}

/** The columns of a pull's connection; needs `c`, `u`, `t` (the team, if it still exists), and `handoverJoins`. */
const pullColumns = ({ sql }: Executor) => sql`
  c.*, u.client_user_id, u.fallback_time_zone, u.fallback_birth_date::text AS fallback_birth_date,
  greatest(u.ingestion_start, taken.on_day) AS ingestion_start, least(u.ingestion_end, given.on_day - 1) AS ingestion_end,
  taken.on_day AS starts_on, taken.at AS starts_at, given.on_day AS ends_on, given.at AS ends_at, coalesce(t.provider_raw_data, false) AS keeps_raw`;

/** `taken`: the connection succeeds another. `given`: another succeeds it, unless it was handed back since. */
const handoverJoins = ({ sql }: Executor) => sql`
  LEFT JOIN connection_handovers taken ON taken.user_id = c.user_id AND taken.team_id = c.team_id
    AND taken.to_provider = c.provider AND taken.to_account = c.provider_user_id
  LEFT JOIN connection_handovers given ON given.user_id = c.user_id AND given.team_id = c.team_id
    AND given.from_provider = c.provider AND given.from_account = c.provider_user_id
    AND (taken.on_day IS NULL OR taken.on_day <= given.on_day)`;

/** The connection for a pull; null when it does not exist or has nothing to pull from. Its status shows whether to pull. */
export async function connectionForPull(executor: Executor, connectionId: string): Promise<PullConnection | null> {
  const [row] = await executor.sql<PullRow[]>`
    SELECT ${pullColumns(executor)}
    FROM connections c JOIN users u ON u.user_id = c.user_id LEFT JOIN teams t ON t.team_id = c.team_id ${handoverJoins(executor)}
    WHERE c.connection_id = ${connectionId} AND u.deleted_at IS NULL AND c.demo_due_at IS NULL`;
  return row ? toPullConnection(row) : null;
}

/** The same for many connections at once; those that `connectionForPull` would not find are missing. */
export async function connectionsForPulls(executor: Executor, connectionIds: readonly string[]): Promise<readonly PullConnection[]> {
  const rows = await executor.sql<PullRow[]>`
    SELECT ${pullColumns(executor)}
    FROM connections c JOIN users u ON u.user_id = c.user_id LEFT JOIN teams t ON t.team_id = c.team_id ${handoverJoins(executor)}
    WHERE c.connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND u.deleted_at IS NULL AND c.demo_due_at IS NULL`;
  return rows.map(toPullConnection);
}

/** A live user's connection to a provider, whatever its status; null when there is none, or when its data is made up. */
export async function connectionForIntake(
  executor: Executor,
  teamId: string,
  userId: string,
  provider: string,
): Promise<PullConnection | null> {
  const [row] = await executor.sql<PullRow[]>`
    SELECT ${pullColumns(executor)}
    FROM connections c JOIN users u ON u.user_id = c.user_id LEFT JOIN teams t ON t.team_id = c.team_id ${handoverJoins(executor)}
    WHERE c.team_id = ${teamId} AND c.user_id = ${userId} AND c.provider = ${provider} AND u.deleted_at IS NULL AND c.demo_due_at IS NULL`;
  return row ? toPullConnection(row) : null;
}

/** A connection to an account that a push names. */
export interface PushConnection extends PullConnection {
  /** False where `connectionForPull` returns none: the user is deleted, or there is nothing to pull from. */
  readonly isPullable: boolean;
}

type PushRow = PullRow & { readonly is_pullable: boolean };

const toPushConnection = (row: PushRow): PushConnection => ({ ...toPullConnection(row), isPullable: row.is_pullable });

/** The connections that a condition finds for each name `n.name`, at most 100. */
function selectForPush(executor: Executor, names: readonly string[], isNamed: ReturnType<typeof executor.sql>) {
  return executor.sql<PushRow[]>`
    SELECT ${pullColumns(executor)},
      u.deleted_at IS NULL AND c.demo_due_at IS NULL AS is_pullable
    FROM unnest(${textArray(names)}::text[]) AS n(name)
    CROSS JOIN LATERAL (SELECT * FROM connections WHERE ${isNamed} ORDER BY created_at LIMIT 100) c
    JOIN users u ON u.user_id = c.user_id LEFT JOIN teams t ON t.team_id = c.team_id ${handoverJoins(executor)}`;
}

/**
 * Every connection to these accounts at a provider, of any team: a push names the provider's users, and several users may have linked
 * the same account. At most 100 of an account. One statement.
 */
export async function connectionsForPush(
  executor: Executor,
  provider: string,
  providerUserIds: readonly string[],
): Promise<readonly PushConnection[]> {
  if (providerUserIds.length === 0) return [];
  const { sql } = executor;
  const rows = await selectForPush(executor, providerUserIds, sql`provider = ${provider} AND provider_user_id = n.name`);
  return rows.map(toPushConnection);
}

/**
 * Every connection at a provider whose account facts have one of these `push_names`, at most 100 of a name. Reads the facts of all
 * connections at the provider, so it is only for those with few.
 */
export async function connectionsByPushName(
  executor: Executor,
  provider: string,
  names: readonly string[],
): Promise<readonly PushConnection[]> {
  if (names.length === 0) return [];
  const { sql } = executor;
  const rows = await selectForPush(executor, names, sql`provider = ${provider} AND account -> 'push_names' ? n.name`);
  return [...new Map(rows.map((row) => [row.connection_id, toPushConnection(row)])).values()];
}

/** User and provider of a connection. */
export interface ConnectionPlace {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
}

export interface ConnectionPageQuery {
  readonly providers: readonly string[];
  /** Null: of every team, and of every user. */
  readonly teamId: string | null;
  readonly userId: string | null;
  /** The last one of the page before; null for the first page. */
  readonly after: Pick<ConnectionPlace, 'userId' | 'provider'> | null;
  readonly limit: number;
}

/** Connected connections to these providers in the order of users, for work on all of them: of any team, so for operators only. */
export async function pageConnections(
  { sql }: Executor,
  { providers, teamId, userId, after, limit }: ConnectionPageQuery,
): Promise<readonly ConnectionPlace[]> {
  return sql<ConnectionPlace[]>`
    SELECT team_id AS "teamId", user_id AS "userId", provider FROM connections
    WHERE provider = ANY(${textArray(providers)}::text[]) AND status = 'connected'
      AND (${teamId}::uuid IS NULL OR team_id = ${teamId}::uuid) AND (${userId}::uuid IS NULL OR user_id = ${userId}::uuid)
      AND (${after === null} OR (user_id, provider) > (${after?.userId ?? null}::uuid, ${after?.provider ?? ''}))
    ORDER BY user_id, provider LIMIT ${limit}`;
}

/** Replaces the stored facts about the account at the provider. */
export async function saveAccount({ orm }: Executor, connectionId: string, account: Readonly<Record<string, unknown>>): Promise<void> {
  await run(orm.update(connections).set({ account }).where(eq(connections.connectionId, connectionId)));
}

/** Replaces the granted scopes; requested scopes that were not granted count as denied. Returns false when nothing changed. */
export async function saveGrantedScopes(
  { orm }: Executor,
  connectionId: string,
  granted: readonly string[],
  requested: readonly string[],
): Promise<boolean> {
  const denied = requested.filter((scope) => !granted.includes(scope));
  const scopes = { grantedScopes: [...granted], deniedScopes: denied };
  const isOther = or(ne(connections.grantedScopes, scopes.grantedScopes), ne(connections.deniedScopes, scopes.deniedScopes));
  const { count } = await run(
    orm
      .update(connections)
      .set(scopes)
      .where(and(eq(connections.connectionId, connectionId), isOther)),
  );
  return count > 0;
}
