import type { LoginOutcome } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import type { PasswordConnector } from '../../providers/connector-kinds.ts';
import { chooseRegion } from '../connect/choose-region.ts';
import { asked } from '../connect/provider-call.ts';
import { storeConnection } from '../connect/store-connection.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { linkError } from '../session/link-error.ts';
import { withLinkLock, type LinkLock } from '../session/link-lock.ts';
import type { LinkOutcome, LinkPending, LinkSuccess } from '../session/link-outcome.ts';
import { assertPinAllows } from '../session/session.ts';
import { withAttemptLimit } from './login-attempts.ts';
import { storeChallenge } from './mfa-challenge.ts';

export interface PasswordLink extends LinkAttempt {
  readonly username: string;
  /** Goes to the provider and, where it has no other renewal, sealed into the connection's tokens; nowhere else. */
  readonly password: string;
  /** `us`, `de`, …; null for the provider's default. */
  readonly region: string | null;
}

/** Longer than a provider takes that asks several of its servers. */
export const loginTimeoutMs = 30_000;

/** The same for a provider that has said how long it may take. */
export function loginTimeoutOf({ password }: PasswordConnector): number {
  return password.loginTimeoutMs ?? loginTimeoutMs;
}

/** Refusals that tell whoever guesses that the guess was wrong, or nearly right. */
const guessRefusals: ReadonlySet<string> = new Set(['provider_credential_error', 'provider_password_expired', 'incorrect_mfa_code']);

/**
 * Whether a login or code goes on counting as an attempt: it was wrong, or it brought a message to somebody's phone. Not a connection that was
 * made, nor a provider that failed.
 */
export function countsAsGuess(result: { readonly outcome: LoginOutcome } | { readonly error: unknown }): boolean {
  if ('error' in result) return false;
  const { outcome } = result;
  return outcome.kind === 'mfa' || (outcome.kind === 'refused' && guessRefusals.has(outcome.errorType));
}

/** Makes of what the provider said what the session becomes. Throws link errors; a refusal is one. */
export async function applyLoginOutcome(
  context: LinkContext,
  lock: LinkLock,
  login: {
    readonly connector: PasswordConnector;
    readonly username: string;
    readonly traceId: string | null;
    readonly outcome: LoginOutcome;
  },
): Promise<LinkSuccess | LinkPending> {
  const { connector, username, traceId, outcome } = login;
  const { redirectUrl } = lock.session;
  switch (outcome.kind) {
    case 'refused':
      throw linkError(outcome.errorType, outcome.message);
    case 'mfa':
      await storeChallenge(context, lock, { ...outcome, provider: connector.slug, username });
      return { state: 'pending_provider_mfa', mfa: { method: outcome.method, hint: outcome.hint }, redirectUrl };
    case 'linked': {
      const { connectionId, externalUserId } = await storeConnection(context, lock, {
        connector,
        application: 'platform',
        redirectUrl: null,
        tokens: outcome.tokens,
        providerUserId: outcome.providerUserId ?? outcome.tokens.providerUserId ?? username,
        externalUserId: username,
        grantedScopes: [],
        deniedScopes: [],
        account: outcome.account,
        traceId,
        consentId: null,
      });
      return { state: 'success', connectionId, externalUserId, redirectUrl };
    }
  }
}

/**
 * Links with the person's own user name and password: makes the connection, or keeps the session until the code comes
 * that the provider asks for. A refused link is an outcome; AppErrors `link_busy` when another try of the same session takes too long, and
 * `too_many_attempts` (with the time to wait) after too many wrong passwords for the account or the user.
 */
export async function linkWithPassword(context: LinkContext, link: PasswordLink): Promise<LinkOutcome> {
  const { provider, username, password, traceId } = link;
  const { outcome } = await attemptLink(context, link, (session) => {
    assertPinAllows(session, provider);
    const connector = linkableConnector(context, provider, 'password');
    const region = chooseRegion(connector.password.regions, link.region);
    const timeoutMs = loginTimeoutOf(connector);
    const work = async (lock: LinkLock) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await withAttemptLimit(
        context,
        { kind: 'password', provider: connector.slug, username, userId: session.userId },
        () => asked(context.gate.login({ connector, username, password, region, signal })),
        countsAsGuess,
      );
      return applyLoginOutcome(context, lock, { connector, username, traceId, outcome: answer });
    };
    return withLinkLock(context, session, work, timeoutMs);
  });
  return outcome;
}
