import type { Executor } from '@pulsewire/database';
import { toDateOrNull } from '../rows.ts';
import type { LinkContext } from '../context.ts';
import { linkError } from './link-error.ts';
import { readLinkToken, type LinkTokenOptions } from './link-token.ts';

export type LinkState = 'open' | 'validated' | 'pending_provider_mfa' | 'success';

/** One attempt of a user to link a provider: from the link token to the connection (contract 6.14). */
export interface LinkSession {
  readonly sessionId: string;
  readonly teamId: string;
  readonly userId: string;
  /** The only provider that this session may link; null for any. */
  readonly provider: string | null;
  readonly redirectUrl: string | null;
  readonly filterOnProviders: readonly string[] | null;
  readonly onError: 'redirect' | null;
  readonly onClose: 'redirect' | null;
  readonly state: LinkState;
  readonly startedProvider: string | null;
  /** Sealed; opens with the session's id. */
  readonly codeVerifier: Buffer | null;
  readonly consumedAt: Date | null;
}

export interface LinkSessionRow {
  readonly session_id: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly provider: string | null;
  readonly redirect_url: string | null;
  readonly filter_on_providers: string[] | null;
  readonly on_error: 'redirect' | null;
  readonly on_close: 'redirect' | null;
  readonly state: LinkState;
  readonly started_provider: string | null;
  readonly code_verifier: Buffer | null;
  readonly consumed_at: string | null;
}

export function toLinkSession(row: LinkSessionRow): LinkSession {
  return {
    sessionId: row.session_id,
    teamId: row.team_id,
    userId: row.user_id,
    provider: row.provider,
    redirectUrl: row.redirect_url,
    filterOnProviders: row.filter_on_providers,
    onError: row.on_error,
    onClose: row.on_close,
    state: row.state,
    startedProvider: row.started_provider,
    codeVerifier: row.code_verifier,
    consumedAt: toDateOrNull(row.consumed_at),
  };
}

/** What a sealed PKCE verifier is bound to. */
export const verifierContext = (sessionId: string) => `link_session:${sessionId}`;

export function linkTokenOptions(context: LinkContext): LinkTokenOptions {
  return { secret: context.linkTokenSecret, audience: `${context.baseUrl()}/v2/link` };
}

export async function findLinkSession(
  { sql }: Executor,
  claims: { readonly sessionId: string; readonly teamId: string },
): Promise<LinkSession | null> {
  const [row] = await sql<
    LinkSessionRow[]
  >`SELECT * FROM link_sessions WHERE session_id = ${claims.sessionId} AND team_id = ${claims.teamId}`;
  return row ? toLinkSession(row) : null;
}

/** The session of a token and whether the token's time is over. Throws a link error `invalid_token`. */
export async function readLinkSession(
  context: LinkContext,
  token: string,
): Promise<{ readonly session: LinkSession; readonly isExpired: boolean }> {
  const claims = readLinkToken(token, { ...linkTokenOptions(context), clock: context.clock });
  const session = await findLinkSession(context.database, claims);
  if (!session) throw linkError('invalid_token', 'The link session of this token is gone');
  return { session, isExpired: claims.isExpired };
}

/** The session of a token that may still be used. Throws link errors `invalid_token`, `token_expired`, `token_consumed`. */
export async function openLinkSession(context: LinkContext, token: string): Promise<LinkSession> {
  const { session, isExpired } = await readLinkSession(context, token);
  assertUsable(session, isExpired);
  return session;
}

export function assertUsable(session: LinkSession, isExpired: boolean): void {
  if (session.state === 'success') throw linkError('token_consumed', 'This link token has made its connection already');
  if (isExpired) throw linkError('token_expired', 'The link token is older than 60 minutes');
}
