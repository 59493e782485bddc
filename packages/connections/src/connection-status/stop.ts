import { and, eq, ne } from 'drizzle-orm';
import { plainArray, run, type Tx } from '@pulsewire/database';
import { fromStored, type Connection, type ConnectionFailure, type ConnectionRow } from '../model/connection.ts';
import { connections } from '../model/tables.ts';

/** Connections of a team to one provider. */
interface TeamConnections {
  readonly teamId: string;
  readonly provider: string;
}

/** Marks a connected connection as failed until the user links it again; null, and nothing is written, when it is not connected. */
export async function failConnection(
  { sql }: Tx,
  connectionId: string,
  { errorType, message }: Pick<ConnectionFailure, 'errorType' | 'message'>,
  now: Date,
): Promise<(ConnectionRow & { readonly client_user_id: string }) | null> {
  const at = now.toISOString();
  const [row] = await sql<(ConnectionRow & { client_user_id: string })[]>`
    UPDATE connections c SET status = 'error', error_type = ${errorType}, error_message = ${message}, errored_at = ${at}, updated_at = ${at}
    FROM users u
    WHERE c.connection_id = ${connectionId} AND c.status = 'connected' AND u.user_id = c.user_id
    RETURNING c.*, u.client_user_id`;
  return row ?? null;
}

/** Pauses the connected connections of these users of a team. Returns their ids. */
export async function pauseByTeam(
  { sql }: Tx,
  { teamId, provider, userIds }: TeamConnections & { readonly userIds: readonly string[] },
  now: Date,
): Promise<readonly string[]> {
  const rows = await sql<{ connection_id: string }[]>`
    WITH chosen AS (
      SELECT connection_id FROM connections
      WHERE team_id = ${teamId} AND provider = ${provider} AND user_id = ANY(${plainArray(userIds)}::uuid[]) AND status = 'connected'
      ORDER BY user_id FOR UPDATE)
    UPDATE connections c SET status = 'paused', updated_at = ${now.toISOString()}
    FROM chosen WHERE c.connection_id = chosen.connection_id RETURNING c.connection_id`;
  return rows.map((row) => row.connection_id);
}

/** Ends the pause of at most `limit` connections that have tokens. Returns their ids. */
export async function resumeByTeam(
  { sql }: Tx,
  { teamId, provider }: TeamConnections,
  limit: number,
  now: Date,
): Promise<readonly string[]> {
  const rows = await sql<{ connection_id: string }[]>`
    WITH chosen AS (
      SELECT connection_id FROM connections c
      WHERE team_id = ${teamId} AND provider = ${provider} AND status = 'paused'
        AND EXISTS (SELECT 1 FROM connection_tokens t WHERE t.connection_id = c.connection_id)
      ORDER BY user_id LIMIT ${limit} FOR UPDATE)
    UPDATE connections c SET status = 'connected', updated_at = ${now.toISOString()}
    FROM chosen WHERE c.connection_id = chosen.connection_id RETURNING c.connection_id`;
  return rows.map((row) => row.connection_id);
}

/**
 * Pauses all connections of a user whose ingestion has ended, also failed ones. Returns them. The caller holds the lock of the user and
 * deletes their tokens, so that only linking again revives them.
 */
export async function endIngestion({ orm }: Tx, teamId: string, userId: string, now: Date): Promise<readonly Connection[]> {
  const paused = { status: 'paused', errorType: null, errorMessage: null, erroredAt: null, updatedAt: now } as const;
  const isActive = and(eq(connections.userId, userId), eq(connections.teamId, teamId), ne(connections.status, 'paused'));
  const rows = await run(orm.update(connections).set(paused).where(isActive).returning());
  return rows.map(fromStored);
}
