import { plainArray, type Tx } from '@pulsewire/database';
import { toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';

/** Deletes connections of a team with their tokens. The caller has queued their deregistration and holds the locks of their users. */
export async function deleteConnections({ sql }: Tx, teamId: string, connectionIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM connections WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND team_id = ${teamId}`;
}

/** Deletes at most `limit` connections to simulators with their tokens; there is no provider to revoke them. Returns the connections. */
export async function deleteSimulated({ sql }: Tx, limit: number): Promise<readonly Connection[]> {
  const rows = await sql<ConnectionRow[]>`
    DELETE FROM connections WHERE connection_id IN (
      SELECT connection_id FROM connections
      WHERE demo_due_at IS NULL AND provider IN (SELECT provider FROM simulated_providers)
      ORDER BY connection_id LIMIT ${limit} FOR UPDATE)
    RETURNING *`;
  return rows.map(toConnection);
}
