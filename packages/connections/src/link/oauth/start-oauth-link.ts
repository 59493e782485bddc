import { run } from '@pulsewire/database';
import { createCodeVerifier, historyDepth, type Connector } from '@pulsewire/providers';
import { and, eq, ne } from 'drizzle-orm';
import { chooseApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { callbackUrl } from './callback-url.ts';
import { linkError } from '../session/link-error.ts';
import { assertPinAllows, openLinkSession, type LinkSession, type TokenReference } from '../session/session.ts';
import { sessionSealContext } from '../../model/seal-contexts.ts';
import { linkSessions } from '../../model/tables.ts';
import type { OAuthConnector } from '../../providers/connector-kinds.ts';
import { historyDaysOf } from '../../teams/history-days.ts';

export interface OAuthStart extends TokenReference {
  readonly provider: string;
  /** `page`: our page redirects the browser; it returns there when the session has no redirect address. */
  readonly from?: 'page';
}

// An existing verifier is kept, so that a second browser tab does not break the first.
function verifierOf(context: LinkContext, connector: OAuthConnector, session: LinkSession): string | null {
  if (connector.oauth.pkce === 'none') return null;
  if (session.codeVerifier && session.startedProvider === connector.slug)
    return context.cipher.open(session.codeVerifier, sessionSealContext(session.sessionId));
  return createCodeVerifier();
}

/**
 * Starts the authorization-code flow and returns the address to redirect the browser to; the token is the `state`. `backfillDays`: days of
 * history that the team gets at most.
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
  const isPending = and(
    eq(linkSessions.sessionId, session.sessionId),
    eq(linkSessions.teamId, session.teamId),
    ne(linkSessions.state, 'success'),
  );
  const rows = await run(
    context.database.orm
      .update(linkSessions)
      .set({
        state: 'validated',
        startedProvider: provider,
        startedFrom: from,
        codeVerifier: sealed,
        mfaTicket: null,
        lastErrorType: null,
      })
      .where(isPending)
      .returning({ sessionId: linkSessions.sessionId }),
  );
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has already created its connection');
  const redirectUrl = callbackUrl(context, chosen, provider);
  // `openLinkSession` throws without a token.
  const state = request.token as string;
  const oauthUrl = context.gate.authorizeUrl({ connector, application: chosen.application, redirectUrl, state, codeVerifier });
  const wantedDays = await historyDaysOf(context.database, session.teamId);
  return { connector, oauthUrl, backfillDays: Math.max(...connector.pulls.map((pull) => historyDepth(pull, wantedDays))) };
}
