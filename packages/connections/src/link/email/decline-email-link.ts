import type { Executor } from '@pulsewire/database';

/** The practice does not take this person: the request is forgotten, and a connection of before stays. False when there is none. */
export async function declineEmailLink({ sql }: Executor, linkId: string): Promise<boolean> {
  const rows = await sql`DELETE FROM email_links WHERE link_id = ${linkId} RETURNING 1 AS deleted`;
  return rows.length > 0;
}
