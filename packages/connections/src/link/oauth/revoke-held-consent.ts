import { eq } from 'drizzle-orm';
import { errorCode } from '@pulsewire/kernel';
import { run } from '@pulsewire/database';
import type { CustodyContext } from '../../context/context.ts';
import { queueRevocation } from '../../custody/queue-revocation.ts';
import { linkConsents } from '../../model/tables.ts';
import { listExpiredConsents, openTokenResponse, type HeldConsent, type TokenResponse } from './held-consent.ts';

function tryOpen(context: CustodyContext, consent: HeldConsent): TokenResponse | null {
  try {
    return openTokenResponse(context, consent);
  } catch (error) {
    // Unreadable tokens cannot be revoked, and must not block the others.
    context.logger.error({ provider: consent.provider, errorCode: errorCode(error) }, 'link.consent_unreadable');
    return null;
  }
}

/** Queues the revocation of an unconfirmed consent. Does nothing when it has become a connection or was revoked already. */
export async function revokeHeldConsent(context: CustodyContext, consent: HeldConsent): Promise<void> {
  const response = tryOpen(context, consent);
  await context.database.transaction(async (tx) => {
    const { consentId } = linkConsents;
    const rows = await run(tx.orm.delete(linkConsents).where(eq(consentId, consent.consentId)).returning({ consentId }));
    if (rows.length > 0 && response) await queueRevocation(context, { ...consent, ...response }, tx);
  });
}

/** Revokes consents that were not confirmed in time, at most `limit`, and returns how many. Several processes may run it at once. */
export async function revokeExpiredConsents(context: CustodyContext, limit: number): Promise<number> {
  const expired = await listExpiredConsents(context, limit);
  for (const consent of expired) await revokeHeldConsent(context, consent);
  return expired.length;
}
