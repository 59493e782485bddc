import type { Clock } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';
import { toPendingEmailLink, type EmailLinkRow, type PendingEmailLink } from './email-link.ts';

/**
 * The links by e-mail that wait to be confirmed, oldest first, `limit` at most; of one provider, or of all. Of every team: for operators,
 * never for requests.
 */
export async function listEmailLinks(
  { sql }: Executor,
  clock: Clock,
  { provider, limit }: { readonly provider: string | null; readonly limit: number },
): Promise<readonly PendingEmailLink[]> {
  const rows = await sql<EmailLinkRow[]>`
    SELECT * FROM email_links WHERE expires_at > ${clock.now().toISOString()} AND (${provider}::text IS NULL OR provider = ${provider})
    ORDER BY requested_at, link_id LIMIT ${limit}`;
  return rows.map(toPendingEmailLink);
}

/** One of them; null when it is not there, or its time is over. */
export async function findEmailLink({ sql }: Executor, clock: Clock, linkId: string): Promise<PendingEmailLink | null> {
  const [row] = await sql<EmailLinkRow[]>`
    SELECT * FROM email_links WHERE link_id = ${linkId} AND expires_at > ${clock.now().toISOString()}`;
  return row ? toPendingEmailLink(row) : null;
}
