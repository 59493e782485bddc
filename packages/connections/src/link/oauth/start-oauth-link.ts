import { createCodeVerifier, historyDepth, type Connector } from '@pulsewire/providers';
import { chooseApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { sessionSealContext } from '../../model/seal-contexts.ts';
import type { OAuthConnector } from '../../providers/connector-kinds.ts';
import { historyDaysOf } from '../../teams/history-days.ts';
import { linkError } from '../session/link-error.ts';
import { assertPinAllows, openLinkSession, type LinkSession, type TokenReference } from '../session/session.ts';
import { callbackUrl } from './callback-url.ts';

export interface OAuthStart extends TokenReference {
  readonly provider: string;
  /** `page`: a page of ours sends the browser; there it comes back when the session names no other address. */
  readonly from?: 'page';
}

// A verifier that was made for this flow is kept, so that a second browser tab does not break the first.
function verifierOf(context: LinkContext, connector: OAuthConnector, session: LinkSession): string | null {
  if (connector.oauth.pkce === 'none') return null;
  if (session.codeVerifier && session.startedProvider === connector.slug)
    return context.cipher.open(session.codeVerifier, sessionSealContext(session.sessionId));
  return createCodeVerifier();
}

/**
 * Starts the authorization-code flow and gives the address to send the browser to; the token itself is the `state`.
 * `backfillDays`: days of history that the team gets at most.
 * Throws link errors `invalid_token`, `token_expired`, `token_consumed`, and AppErrors `provider_unknown` and `provider_not_configured`.
 */
export async function startOAuthLink(
  context: LinkContext,
  request: OAuthStart,
): Promise<{ readonly connector: Connector; readonly oauthUrl: string; readonly backfillDays: number }> {
  const { provider, from = request.teamId === null ? 'client' : 'api' } = request;
  const session = await openLinkSession(context, request);
  assertPinAllows(session, provider);
  const connector = linkableConnector(context, provider, 'oauth');
  const chosen = await chooseApplication(context.database, context, session.teamId, provider);
  const codeVerifier = verifierOf(context, connector, session);
  const sealed = codeVerifier === null ? null : context.cipher.seal(codeVerifier, sessionSealContext(session.sessionId));
  const rows = await context.database.sql`
    UPDATE link_sessions SET state = 'validated', started_provider = ${provider}, started_from = ${from}, code_verifier = ${sealed},
      mfa_ticket = NULL, last_error_type = NULL
    WHERE session_id = ${session.sessionId} AND team_id = ${session.teamId} AND state <> 'success' RETURNING 1 AS updated`;
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has made its connection already');
  const redirectUrl = callbackUrl(context, chosen, provider);
  // A token that was read has come along.
  const state = request.token as string;
  const oauthUrl = context.gate.authorizeUrl({ connector, application: chosen.application, redirectUrl, state, codeVerifier });
  const wantedDays = await historyDaysOf(context.database, session.teamId);
  return { connector, oauthUrl, backfillDays: Math.max(...connector.pulls.map((pull) => historyDepth(pull, wantedDays))) };
}
