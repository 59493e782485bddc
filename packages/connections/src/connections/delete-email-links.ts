import { and, eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { emailLinks } from '../model/tables.ts';

/**
 * Deletes a user's pending links by e-mail, of one provider or of all (null). Returns false when there were none. The caller holds the lock
 * of the user.
 */
export async function deleteEmailLinks(
  { orm }: Tx,
  { teamId, userId, provider }: { readonly teamId: string; readonly userId: string; readonly provider: string | null },
): Promise<boolean> {
  const ofProvider = provider === null ? undefined : eq(emailLinks.provider, provider);
  const rows = await run(
    orm
      .delete(emailLinks)
      .where(and(eq(emailLinks.teamId, teamId), eq(emailLinks.userId, userId), ofProvider))
      .returning({ linkId: emailLinks.linkId }),
  );
  return rows.length > 0;
}
