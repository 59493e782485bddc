import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { asked } from '../connect/provider-call.ts';
import { tryLink, type LinkTry } from '../session/attempt-link.ts';
import { linkError, linkErrorType } from '../session/link-error.ts';
import { inLinkTurn, type LinkTurn } from '../session/link-lock.ts';
import type { LinkOutcome, LinkPending, LinkSuccess } from '../session/link-outcome.ts';
import { isGuess, loginTimeoutMs, loginTimeoutOf, settleLogin } from './link-with-password.ts';
import { countedAttempt } from './login-attempts.ts';
import { countWrongCode, dropChallenge, openTicket } from './mfa-challenge.ts';

export interface MfaCompletion extends LinkTry {
  /** As the user typed it. */
  readonly code: string;
}

async function complete(context: LinkContext, turn: LinkTurn, completion: MfaCompletion): Promise<LinkSuccess | LinkPending> {
  const { provider, traceId } = completion;
  const { session } = turn;
  const connector = linkableConnector(context, provider, 'password');
  if (session.mfa === null || session.startedProvider !== provider || !connector.password.completeMfa)
    throw linkError('token_not_validated', 'No code is awaited from this provider with this token');
  if (session.mfa.expiresAt.getTime() <= context.clock.now().getTime()) {
    await dropChallenge(context, turn);
    throw linkError('token_expired', 'The code comes too late: the user must log in again');
  }
  const { ticket, username } = openTicket(context, session, session.mfa);
  const signal = AbortSignal.timeout(loginTimeoutOf(connector));
  try {
    const outcome = await countedAttempt(
      context,
      { kind: 'code', provider, username, userId: session.userId },
      () => asked(context.gate.completeMfa({ connector, ticket, code: completion.code.trim(), signal })),
      isGuess,
    );
    return await settleLogin(context, turn, { connector, username, traceId, outcome });
  } catch (error) {
    const errorType = linkErrorType(error);
    if (errorType === 'incorrect_mfa_code') await countWrongCode(context, turn, session.mfa);
    // Whatever else the provider refuses it refuses for good. After a failure the code may come again.
    else if (errorType !== null && errorType !== 'provider_api_error') await dropChallenge(context, turn);
    throw error;
  }
}

/**
 * Brings the provider the code that it asked for. A wrong code keeps the session waiting for the right one; after ten
 * minutes, or too many wrong ones, the user must log in again, with the same token. Errors as in `linkWithPassword`.
 */
export async function completeMfa(context: LinkContext, completion: MfaCompletion): Promise<LinkOutcome> {
  const timeoutMs = context.connectorFor(completion.provider)?.password?.loginTimeoutMs ?? loginTimeoutMs;
  const { outcome } = await tryLink(context, completion, (session) =>
    inLinkTurn(context, session, (turn) => complete(context, turn, completion), timeoutMs),
  );
  return outcome;
}
