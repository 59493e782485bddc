import { run } from '@pulsewire/database';
import type { MfaChallenge } from '@pulsewire/providers';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { LinkContext } from '../../context/context.ts';
import { linkError } from '../session/link-error.ts';
import { isLockedBy, type LinkLock } from '../session/link-lock.ts';
import type { PendingChallenge } from '../session/link-outcome.ts';
import type { LinkSession, PendingMfa } from '../session/session.ts';
import { sessionSealContext } from '../../model/seal-contexts.ts';
import { linkSessions } from '../../model/tables.ts';

/** Codes expire after this, even if the provider accepts them longer. */
const codeLifeMaxMs = 10 * 60_000;
/** After this many wrong codes the user must log in again, which prevents guessing. */
const wrongCodesMax = 10;

const isPending = (lock: LinkLock) => and(isLockedBy(lock), eq(linkSessions.state, 'pending_provider_mfa'));

/** Data needed to complete the login, stored encrypted with the session. */
export interface LoginTicket {
  readonly ticket: string;
  readonly username: string;
  /** Only of a choice: what the user is shown, encrypted because it may name people. */
  readonly shown?: Pick<PendingChallenge, 'hint' | 'choices'>;
}

/** Stores the challenge, so that the code may arrive at another process. Throws a link error `token_consumed`. */
export async function storeChallenge(
  context: LinkContext,
  lock: LinkLock,
  challenge: MfaChallenge & { readonly provider: string; readonly username: string },
): Promise<void> {
  const { ticket, username, method, hint, choices, provider } = challenge;
  const { sessionId } = lock.session;
  const isChoice = method === 'choice';
  const stored: LoginTicket = { ticket, username, ...(isChoice && { shown: { hint, ...(choices && { choices }) } }) };
  const sealed = context.cipher.seal(JSON.stringify(stored), sessionSealContext(sessionId));
  const expiresAt = new Date(context.clock.now().getTime() + Math.min(challenge.expiresInMs, codeLifeMaxMs));
  const rows = await run(
    context.database.orm
      .update(linkSessions)
      .set({
        state: 'pending_provider_mfa',
        callbackUntil: null,
        startedProvider: provider,
        codeVerifier: null,
        lastErrorType: null,
        mfaTicket: sealed,
        mfaMethod: method,
        mfaHint: isChoice ? '' : hint.slice(0, 200),
        mfaExpiresAt: expiresAt,
        mfaAttempts: 0,
      })
      .where(and(isLockedBy(lock), ne(linkSessions.state, 'success')))
      .returning({ sessionId: linkSessions.sessionId }),
  );
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has already created its connection');
}

export function openTicket(context: LinkContext, session: LinkSession, mfa: PendingMfa): LoginTicket {
  return JSON.parse(context.cipher.open(mfa.ticket, sessionSealContext(session.sessionId))) as LoginTicket;
}

/** What the user must enter. */
export function pendingChallenge(context: LinkContext, session: LinkSession, mfa: PendingMfa): PendingChallenge {
  const { method, hint } = mfa;
  return { method, hint, ...(method === 'choice' && openTicket(context, session, mfa).shown) };
}

/** Deletes the challenge: the user must log in again with the same link token. */
export async function deleteChallenge(context: LinkContext, lock: LinkLock): Promise<void> {
  await run(context.database.orm.update(linkSessions).set({ state: 'open', mfaTicket: null }).where(isPending(lock)));
}

/** Counts a wrong code; too many delete the challenge. */
export async function countWrongCode(context: LinkContext, lock: LinkLock, mfa: PendingMfa): Promise<void> {
  if (mfa.attempts + 1 >= wrongCodesMax) return deleteChallenge(context, lock);
  const mfaAttempts = sql`${linkSessions.mfaAttempts} + 1`;
  await run(context.database.orm.update(linkSessions).set({ mfaAttempts }).where(isPending(lock)));
}
