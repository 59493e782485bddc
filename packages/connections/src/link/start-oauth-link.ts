import { createCodeVerifier, type Connector } from '@pulsewire/providers';
import { chooseApplication, connectorOf, type ChosenApplication } from '../applications.ts';
import type { LinkContext } from '../context.ts';
import { linkError } from './link-error.ts';
import { openLinkSession, verifierContext, type LinkSession } from './session.ts';

/** Our callback at a provider, or the team's address that forwards to it. Must be the same in both steps of the flow. */
export function callbackUrl(context: LinkContext, chosen: ChosenApplication, provider: string): string {
  return chosen.redirectUrlOverride ?? `${context.baseUrl()}/v2/link/connect/${provider}`;
}

// A verifier that was made for this flow is kept, so that a second browser tab does not break the first.
function verifierOf(context: LinkContext, connector: Connector, session: LinkSession): string | null {
  if (connector.oauth.pkce === 'none') return null;
  if (session.codeVerifier && session.startedProvider === connector.slug)
    return context.cipher.open(session.codeVerifier, verifierContext(session.sessionId));
  return createCodeVerifier();
}

/** Whether the session allows this provider. The filter is for the hosted page alone (contract 6.2). */
export function assertPinAllows(session: LinkSession, provider: string): void {
  if (session.provider !== null && session.provider !== provider)
    throw linkError('invalid_token', 'The link token is pinned to another provider');
}

/**
 * Starts the authorization-code flow and gives the address to send the browser to; the token itself is the `state` (contract 6.2 fact 3).
 * `teamId`, when a key came along, must be the token's team. Throws link errors `invalid_token`, `token_expired`, `token_consumed`,
 * and AppError `provider_not_configured`.
 */
export async function startOAuthLink(
  context: LinkContext,
  request: { readonly token: string; readonly provider: string; readonly teamId: string | null },
): Promise<{ readonly connector: Connector; readonly oauthUrl: string }> {
  const { token, provider, teamId } = request;
  const session = await openLinkSession(context, token);
  if (teamId !== null && session.teamId !== teamId) throw linkError('invalid_token', 'The link session of this token is gone');
  assertPinAllows(session, provider);
  const connector = connectorOf(context, provider);
  const chosen = await chooseApplication(context.database, context, session.teamId, provider);
  const codeVerifier = verifierOf(context, connector, session);
  const sealed = codeVerifier === null ? null : context.cipher.seal(codeVerifier, verifierContext(session.sessionId));
  const rows = await context.database.sql`
    UPDATE link_sessions SET state = 'validated', started_provider = ${provider}, code_verifier = ${sealed}
    WHERE session_id = ${session.sessionId} AND team_id = ${session.teamId} AND state <> 'success' RETURNING 1 AS updated`;
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has made its connection already');
  const redirectUrl = callbackUrl(context, chosen, provider);
  return {
    connector,
    oauthUrl: context.oauth.authorizeUrl({ connector, application: chosen.application, redirectUrl, state: token, codeVerifier }),
  };
}
