import { plainArray, type Executor } from '@pulsewire/database';

/** Those of these connections that have a historical pull which is not complete. */
export async function openHistories({ sql }: Executor, connectionIds: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ connection_id: string }[]>`
    SELECT DISTINCT connection_id FROM historical_pulls
    WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND completed_at IS NULL`;
  return rows.map((row) => row.connection_id);
}
