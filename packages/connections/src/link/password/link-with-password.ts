import type { LoginOutcome, MfaChallenge } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { chooseRegion } from '../connect/choose-region.ts';
import { awaitProvider } from '../connect/provider-call.ts';
import { storeConnection } from '../connect/store-connection.ts';
import { withAttemptLimit } from './login-attempts.ts';
import { storeChallenge } from './mfa-challenge.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { linkError } from '../session/link-error.ts';
import { withLinkLock, type LinkLock } from '../session/link-lock.ts';
import type { LinkOutcome, LinkPending, LinkSuccess, PendingChallenge } from '../session/link-outcome.ts';
import { assertPinAllows } from '../session/session.ts';
import type { PasswordConnector } from '../../providers/connector-kinds.ts';

export interface PasswordLink extends LinkAttempt {
  readonly username: string;
  /** Sent to the provider only; stored, encrypted, only where the provider has no other way of renewal. */
  readonly password: string;
  /** `us`, `de`, …; null for the provider's default. */
  readonly region: string | null;
}

/** Longer than a provider needs that calls several of its servers. */
export const loginTimeoutMs = 30_000;

/** The timeout of this provider's login. */
export function loginTimeoutOf({ password }: PasswordConnector): number {
  return password.loginTimeoutMs ?? loginTimeoutMs;
}

/** Rejections that reveal to an attacker that the guess was wrong, or nearly right. */
const guessRejections: ReadonlySet<string> = new Set(['provider_credential_error', 'provider_password_expired', 'incorrect_mfa_code']);

/**
 * Whether a login or code counts as an attempt: it was wrong, or it sent a message to a phone. Successes and provider failures do not
 * count.
 */
export function countsAsGuess(result: { readonly outcome: LoginOutcome } | { readonly error: unknown }): boolean {
  if ('error' in result) return false;
  const { outcome } = result;
  return (outcome.kind === 'mfa' && outcome.method !== 'choice') || (outcome.kind === 'refused' && guessRejections.has(outcome.errorType));
}

const pendingOf = ({ method, hint, choices }: MfaChallenge): PendingChallenge => ({ method, hint, ...(choices && { choices }) });

/** Stores the outcome of a login: the connection or the pending code. Throws link errors, also for a rejection. */
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
      return { state: 'pending_provider_mfa', mfa: pendingOf(outcome), redirectUrl };
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
 * Links with a user name and password: creates the connection, or waits for the code that the provider requires. A rejected link is an
 * outcome. Throws AppErrors `link_busy` when another attempt on the same session takes too long, and `too_many_attempts` (with the time to
 * wait) after too many wrong passwords for the account or the user.
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
      const result = await withAttemptLimit(
        context,
        { kind: 'password', provider: connector.slug, username, userId: session.userId },
        () => awaitProvider(context.gate.login({ connector, username, password, region, signal })),
        countsAsGuess,
      );
      return applyLoginOutcome(context, lock, { connector, username, traceId, outcome: result });
    };
    return withLinkLock(context, session, work, timeoutMs);
  });
  return outcome;
}
