import type { Tx } from '@pulsewire/database';
import { linkError } from '../session/link-error.ts';
import type { LinkLock } from '../session/link-lock.ts';

/** Takes the consent for a connection that is stored in this transaction. Throws a link error when it was given back meanwhile. */
export async function takeHeldConsent({ sql }: Tx, { sessionId, teamId }: LinkLock['session'], consentId: string): Promise<void> {
  const rows = await sql`
    DELETE FROM link_consents WHERE consent_id = ${consentId} AND session_id = ${sessionId} AND team_id = ${teamId} RETURNING 1 AS deleted`;
  await sql`
    UPDATE link_sessions SET consent_id = ${consentId} WHERE session_id = ${sessionId} AND team_id = ${teamId}`;
  if (rows.length === 0) throw linkError('token_not_validated', 'This consent was given back to the provider');
}
