import { and, eq, gt } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Executor } from '@pulsewire/database';
import { emailLinks } from '../../model/tables.ts';
import type { PendingEmailLink } from './email-link.ts';

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
