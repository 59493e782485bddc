import { errorCode } from '@pulsewire/kernel';
import type { CustodyContext } from '../../context/context.ts';
import { queueRevocation } from '../../custody/queue-revocation.ts';
import { listExpiredConsents, openTokenResponse, type HeldConsent, type TokenResponse } from './held-consent.ts';

function tryOpen(context: CustodyContext, consent: HeldConsent): TokenResponse | null {
  try {
    return openTokenResponse(context, consent);
  } catch (error) {
    // Nobody can revoke what nobody can read; it must not hold up the others.
    context.logger.error({ provider: consent.provider, errorCode: errorCode(error) }, 'link.consent_unreadable');
    return null;
  }
}

/** Tokens that nobody confirmed are to be revoked at the provider. Nothing happens to a consent that became a connection, or was given back. */
export async function revokeHeldConsent(context: CustodyContext, consent: HeldConsent): Promise<void> {
  const answer = tryOpen(context, consent);
  await context.database.transaction(async (tx) => {
    const rows = await tx.sql`DELETE FROM link_consents WHERE consent_id = ${consent.consentId} RETURNING 1 AS deleted`;
    if (rows.length > 0 && answer) await queueRevocation(context, { ...consent, ...answer }, tx);
  });
}

/** Gives back what nobody confirmed in time, `limit` at most; gives how many there were. Several processes may run it at once. */
export async function revokeExpiredConsents(context: CustodyContext, limit: number): Promise<number> {
  const expired = await listExpiredConsents(context, limit);
  for (const consent of expired) await revokeHeldConsent(context, consent);
  return expired.length;
}
