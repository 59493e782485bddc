import type { Tx } from '@pulsewire/database';

/** Whether the user has linked this connection again after `at`. Locks the connection, so that a link under way is waited for and seen. */
export async function isLinkedSince({ sql }: Tx, connectionId: string, at: string): Promise<boolean> {
  await sql`SELECT 1 FROM connections WHERE connection_id = ${connectionId} FOR NO KEY UPDATE`;
  const [row] = await sql`SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} AND linked_at > ${at}`;
  return row !== undefined;
}
