import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { awaitProvider } from '../connect/provider-call.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { linkError, linkErrorType } from '../session/link-error.ts';
import { withLinkLock, type LinkLock } from '../session/link-lock.ts';
import type { LinkOutcome, LinkPending, LinkSuccess } from '../session/link-outcome.ts';
import { countsAsGuess, loginTimeoutMs, loginTimeoutOf, applyLoginOutcome } from './link-with-password.ts';
import { withAttemptLimit } from './login-attempts.ts';
import { countWrongCode, deleteChallenge, openTicket } from './mfa-challenge.ts';

export interface MfaCompletion extends LinkAttempt {
  /** As typed by the user. */
  readonly code: string;
}

async function complete(context: LinkContext, lock: LinkLock, completion: MfaCompletion): Promise<LinkSuccess | LinkPending> {
  const { provider, traceId } = completion;
  const { session } = lock;
  const connector = linkableConnector(context, provider, 'password');
  if (session.mfa === null || session.startedProvider !== provider || !connector.password.completeMfa)
    throw linkError('token_not_validated', 'This link is not waiting for a code of this provider');
  if (session.mfa.expiresAt.getTime() <= context.clock.now().getTime()) {
    await deleteChallenge(context, lock);
    throw linkError('token_expired', 'The code has expired: the user must log in again');
  }
  const { ticket, username } = openTicket(context, session, session.mfa);
  const signal = AbortSignal.timeout(loginTimeoutOf(connector));
  try {
    const outcome = await withAttemptLimit(
      context,
      { kind: 'code', provider, username, userId: session.userId },
      () => awaitProvider(context.gate.completeMfa({ connector, ticket, code: completion.code.trim(), signal })),
      countsAsGuess,
    );
    return await applyLoginOutcome(context, lock, { connector, username, traceId, outcome });
  } catch (error) {
    const errorType = linkErrorType(error);
    if (errorType === 'incorrect_mfa_code') await countWrongCode(context, lock, session.mfa);
    // Any other rejection is final. After a failure of the provider, the code can be sent again.
    else if (errorType !== null && errorType !== 'provider_api_error') await deleteChallenge(context, lock);
    throw error;
  }
}

/**
 * Sends the code to the provider. After a wrong code the session still waits for the right one; after ten minutes, or too many wrong codes,
 * the user must log in again with the same token. Errors as in `linkWithPassword`.
 */
export async function completeMfa(context: LinkContext, completion: MfaCompletion): Promise<LinkOutcome> {
  const timeoutMs = context.connectorFor(completion.provider)?.password?.loginTimeoutMs ?? loginTimeoutMs;
  const { outcome } = await attemptLink(context, completion, (session) =>
    withLinkLock(context, session, (lock) => complete(context, lock, completion), timeoutMs),
  );
  return outcome;
}
