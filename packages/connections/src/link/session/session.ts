import { run, type Executor } from '@pulsewire/database';
import type { MfaMethod } from '@pulsewire/providers';
import { and, eq } from 'drizzle-orm';
import type { LinkContext } from '../../context/context.ts';
import { linkError } from './link-error.ts';
import { readLinkToken, type LinkTokenOptions } from './link-token.ts';
import { mayAct } from '../../model/may-act.ts';
import { linkSessions } from '../../model/tables.ts';

/**
 * Who started a flow. `api`: the team's server with its key, which is responsible for the browser that it redirects. `client`: a holder of
 * the link token, without a key. `page`: our page, to which the browser returns.
 */
type StartedFrom = 'api' | 'client' | 'page';

type LinkState = 'open' | 'validated' | 'pending_provider_mfa' | 'success';

/** A pending multi-factor login. */
export interface PendingMfa {
  readonly method: MfaMethod;
  /** Masked destination of the code; empty for a choice, which is stored with the ticket. */
  readonly hint: string;
  /** Encrypted; bound to the session's id. */
  readonly ticket: Buffer;
  readonly expiresAt: Date;
  /** Wrong codes so far. */
  readonly attempts: number;
}

/** One attempt of a user to link a provider: from the link token to the connection. */
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
  /** Who started the last flow. */
  readonly startedFrom: StartedFrom;
  /** Encrypted; bound to the session's id. */
  readonly codeVerifier: Buffer | null;
  /** Only while the state is `pending_provider_mfa`. */
  readonly mfa: PendingMfa | null;
  /** How the last attempt failed; null before the first attempt and after success. */
  readonly lastErrorType: string | null;
  readonly consumedAt: Date | null;
}

type LinkSessionRow = typeof linkSessions.$inferSelect;

function toPendingMfa(row: LinkSessionRow): PendingMfa | null {
  const { mfaTicket: ticket, mfaMethod: method, mfaExpiresAt: expiresAt } = row;
  if (row.state !== 'pending_provider_mfa' || ticket === null || method === null || expiresAt === null) return null;
  return { method, hint: row.mfaHint ?? '', ticket, expiresAt, attempts: row.mfaAttempts };
}

export function toLinkSession(row: LinkSessionRow): LinkSession {
  return {
    sessionId: row.sessionId,
    teamId: row.teamId,
    userId: row.userId,
    provider: row.provider,
    redirectUrl: row.redirectUrl,
    filterOnProviders: row.filterOnProviders,
    onError: row.onError,
    onClose: row.onClose,
    state: row.state,
    startedProvider: row.startedProvider,
    startedFrom: row.startedFrom,
    codeVerifier: row.codeVerifier,
    mfa: toPendingMfa(row),
    lastErrorType: row.lastErrorType,
    consumedAt: row.consumedAt,
  };
}

export function linkTokenOptions(context: LinkContext): LinkTokenOptions {
  return { secret: context.linkTokenSecret, audience: `${context.baseUrl()}/v2/link` };
}

/** The user for whom this team created a link token, expired or not; null for any other text. */
export async function userOfLinkToken(context: LinkContext, token: string, teamId: string): Promise<string | null> {
  try {
    const claims = await readLinkToken(token, { ...linkTokenOptions(context), clock: context.clock });
    return claims.teamId === teamId ? claims.userId : null;
  } catch {
    return null;
  }
}

async function findLinkSession(
  { orm }: Executor,
  claims: { readonly sessionId: string; readonly teamId: string },
): Promise<LinkSession | null> {
  const isSession = and(eq(linkSessions.sessionId, claims.sessionId), eq(linkSessions.teamId, claims.teamId));
  const [row] = await run(orm.select().from(linkSessions).where(isSession));
  return row ? toLinkSession(row) : null;
}

/** The link token of a request. */
export interface TokenReference {
  /** undefined: the request has none. */
  readonly token: string | undefined;
  /** The team of the request's API key, which must be the token's; null without a key. */
  readonly teamId: string | null;
}

/**
 * The session of a token, and whether the token has expired. Throws a link error `invalid_token`, also for a token of another team, or when
 * user or team are deleted. A callback is read nevertheless: the provider has granted access, which must be revoked.
 */
export async function readLinkSession(
  context: LinkContext,
  { token, teamId, isCallback = false }: TokenReference & { readonly isCallback?: boolean },
): Promise<{ readonly session: LinkSession; readonly isExpired: boolean }> {
  if (token === undefined) throw linkError('invalid_token', 'The link token is missing');
  const claims = await readLinkToken(token, { ...linkTokenOptions(context), clock: context.clock });
  const session = teamId === null || claims.teamId === teamId ? await findLinkSession(context.database, claims) : null;
  if (!session || !(isCallback || (await mayAct(context.database, session))))
    throw linkError('invalid_token', 'The link session of this token no longer exists');
  return { session, isExpired: claims.isExpired };
}

/** The session of a token that can still be used. Throws link errors `invalid_token`, `token_expired`, `token_consumed`. */
export async function openLinkSession(context: LinkContext, reference: TokenReference): Promise<LinkSession> {
  const { session, isExpired } = await readLinkSession(context, reference);
  assertUsable(session, isExpired);
  return session;
}

export function assertUsable(session: LinkSession, isExpired: boolean): void {
  if (session.state === 'success') throw linkError('token_consumed', 'This link token has already created its connection');
  if (isExpired) throw linkError('token_expired', 'The link token is older than 60 minutes');
}

/** Throws a link error `invalid_token` when the session is pinned to another provider. The filter applies to the hosted page only. */
export function assertPinAllows(session: LinkSession, provider: string): void {
  if (session.provider !== null && session.provider !== provider)
    throw linkError('invalid_token', 'The link token is limited to another provider');
}

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
