import { and, eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { linkConsents, linkSessions } from '../../model/tables.ts';
import { linkError } from '../session/link-error.ts';
import type { LinkLock } from '../session/link-lock.ts';

/** Takes the consent for a connection that is stored in this transaction. Throws a link error when it was revoked in the meantime. */
export async function takeHeldConsent({ orm }: Tx, { sessionId, teamId }: LinkLock['session'], consentId: string): Promise<void> {
  const isHeld = and(eq(linkConsents.consentId, consentId), eq(linkConsents.sessionId, sessionId), eq(linkConsents.teamId, teamId));
  const rows = await run(orm.delete(linkConsents).where(isHeld).returning({ consentId: linkConsents.consentId }));
  if (rows.length === 0) throw linkError('token_not_validated', 'This consent has been revoked at the provider');
  await run(
    orm
      .update(linkSessions)
      .set({ consentId })
      .where(and(eq(linkSessions.sessionId, sessionId), eq(linkSessions.teamId, teamId))),
  );
}
