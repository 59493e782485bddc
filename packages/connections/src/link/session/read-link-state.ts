import type { LinkContext } from '../../context/context.ts';
import { readLinkSession, type LinkState, type TokenReference } from './session.ts';

/** Status of a link session. */
export interface LinkStatus {
  /** `error`: the last attempt failed, or the token has expired. */
  readonly state: LinkState | 'error';
  /** The provider that was started or linked last, else the one that the token is limited to. */
  readonly provider: string | null;
  readonly errorType: string | null;
}

/** Reads the status of a token's session, also after its end. Throws a link error `invalid_token`. */
export async function readLinkState(context: LinkContext, reference: TokenReference): Promise<LinkStatus> {
  const { session, isExpired } = await readLinkSession(context, reference);
  const provider = session.startedProvider ?? session.provider;
  if (session.state === 'success') return { state: 'success', provider, errorType: null };
  if (isExpired) return { state: 'error', provider, errorType: 'token_expired' };
  const { state, lastErrorType: errorType } = session;
  // After a wrong code the session still waits for the right one.
  return { state: errorType !== null && state !== 'pending_provider_mfa' ? 'error' : state, provider, errorType };
}
