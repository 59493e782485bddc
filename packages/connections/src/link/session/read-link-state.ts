import type { LinkContext } from '../../context/context.ts';
import { readLinkSession, type LinkState, type TokenReference } from './session.ts';

/** How a link session stands. */
export interface LinkStatus {
  /** `error`: the last try failed, or the token's time is over. */
  readonly state: LinkState | 'error';
  /** The provider that was started or linked last, else the one that the token is pinned to. */
  readonly provider: string | null;
  readonly errorType: string | null;
}

/** Reads how the session of a token stands; also of one that is over. Throws a link error `invalid_token`. */
export async function readLinkState(context: LinkContext, reference: TokenReference): Promise<LinkStatus> {
  const { session, isExpired } = await readLinkSession(context, reference);
  const provider = session.startedProvider ?? session.provider;
  if (session.state === 'success') return { state: 'success', provider, errorType: null };
  if (isExpired) return { state: 'error', provider, errorType: 'token_expired' };
  const { state, lastErrorType: errorType } = session;
  // A wrong code is an error that leaves the session waiting for the right one.
  return { state: errorType !== null && state !== 'pending_provider_mfa' ? 'error' : state, provider, errorType };
}
