import { run, type Executor, type Database } from '@pulsewire/database';
import type { Clock } from '@pulsewire/kernel';
import { and, eq, gt } from 'drizzle-orm';
import { emailLinks } from '../../model/tables.ts';

/** A practice invites manually, and the person accepts in an app, which takes days. */
export const emailLinkLifeMs = 30 * 86_400_000;

/** A link by e-mail that waits for confirmation by the practice. The address is never logged. */
export type PendingEmailLink = Readonly<typeof emailLinks.$inferSelect>;

/**
 * The links by e-mail that wait for confirmation, oldest first, at most `limit`; of one provider, or of all. Of every team: for operators,
 * never for API requests.
 */
export async function listEmailLinks(
  { orm }: Executor,
  clock: Clock,
  { provider, limit }: { readonly provider: string | null; readonly limit: number },
): Promise<readonly PendingEmailLink[]> {
  const ofProvider = provider === null ? undefined : eq(emailLinks.provider, provider);
  const isListed = and(gt(emailLinks.expiresAt, clock.now()), ofProvider);
  return run(orm.select().from(emailLinks).where(isListed).orderBy(emailLinks.requestedAt, emailLinks.linkId).limit(limit));
}

/** One of them; null when it does not exist or has expired. */
export async function findEmailLink({ orm }: Executor, clock: Clock, linkId: string): Promise<PendingEmailLink | null> {
  const isPending = and(eq(emailLinks.linkId, linkId), gt(emailLinks.expiresAt, clock.now()));
  const [row] = await run(orm.select().from(emailLinks).where(isPending));
  return row ?? null;
}

/** The practice declines the person: the request is deleted, and an existing connection stays. Returns false when there is no request. */
export async function declineEmailLink({ orm }: Executor, id: string): Promise<boolean> {
  const { linkId } = emailLinks;
  const rows = await run(orm.delete(emailLinks).where(eq(linkId, id)).returning({ linkId }));
  return rows.length > 0;
}

/** Deletes expired requests, at most `limit`, and returns how many. */
export async function expireEmailLinks({ sql }: Database, clock: Clock, limit: number): Promise<number> {
  const deleted = await sql`
    DELETE FROM email_links WHERE link_id IN (
      SELECT link_id FROM email_links WHERE expires_at <= ${clock.now().toISOString()} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  return deleted.count;
}
