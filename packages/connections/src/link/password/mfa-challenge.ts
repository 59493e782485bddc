import type { MfaChallenge } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import { sessionSealContext } from '../../model/seal-contexts.ts';
import { linkError } from '../session/link-error.ts';
import type { LinkLock } from '../session/link-lock.ts';
import type { LinkSession, PendingMfa } from '../session/session.ts';

/** After it a code is too late, however long the provider would wait. */
const codeLifeMaxMs = 10 * 60_000;
/** Wrong codes after which the user logs in again: nobody tries a million codes through us. */
const wrongCodesMax = 10;

/** What completing the login takes, kept sealed with the session. */
export interface LoginTicket {
  readonly ticket: string;
  readonly username: string;
}

/** Keeps the challenge, so that the code may come with another request, to another process. Throws a link error `token_consumed`. */
export async function storeChallenge(
  context: LinkContext,
  lock: LinkLock,
  challenge: MfaChallenge & { readonly provider: string; readonly username: string },
): Promise<void> {
  const { ticket, username, method, hint, provider } = challenge;
  const { sessionId } = lock.session;
  const kept: LoginTicket = { ticket, username };
  const sealed = context.cipher.seal(JSON.stringify(kept), sessionSealContext(sessionId));
  const expiresAt = new Date(context.clock.now().getTime() + Math.min(challenge.expiresInMs, codeLifeMaxMs)).toISOString();
  const rows = await context.database.sql`
    UPDATE link_sessions SET state = 'pending_provider_mfa', callback_until = NULL, started_provider = ${provider}, code_verifier = NULL, last_error_type = NULL,
      mfa_ticket = ${sealed}, mfa_method = ${method}, mfa_hint = ${hint.slice(0, 200)}, mfa_expires_at = ${expiresAt}, mfa_attempts = 0
    WHERE session_id = ${sessionId} AND callback_epoch = ${lock.epoch} AND state <> 'success' RETURNING 1 AS updated`;
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has made its connection already');
}

export function openTicket(context: LinkContext, session: LinkSession, mfa: PendingMfa): LoginTicket {
  return JSON.parse(context.cipher.open(mfa.ticket, sessionSealContext(session.sessionId))) as LoginTicket;
}

/** Forgets the challenge: the user logs in again, with the same link token. */
export async function dropChallenge(context: LinkContext, { session, epoch }: LinkLock): Promise<void> {
  await context.database.sql`
    UPDATE link_sessions SET state = 'open', mfa_ticket = NULL
    WHERE session_id = ${session.sessionId} AND callback_epoch = ${epoch} AND state = 'pending_provider_mfa'`;
}

/** Counts a wrong code; after too many the challenge is forgotten. */
export async function countWrongCode(context: LinkContext, lock: LinkLock, mfa: PendingMfa): Promise<void> {
  if (mfa.attempts + 1 >= wrongCodesMax) return dropChallenge(context, lock);
  await context.database.sql`
    UPDATE link_sessions SET mfa_attempts = mfa_attempts + 1
    WHERE session_id = ${lock.session.sessionId} AND callback_epoch = ${lock.epoch} AND state = 'pending_provider_mfa'`;
}
