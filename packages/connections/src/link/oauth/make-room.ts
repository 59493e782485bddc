import { errorCode } from '@pulsewire/kernel';
import { markConnectionError } from '../../connections/mark-error.ts';
import type { ChosenApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { getAccessToken } from '../../custody/get-access-token.ts';
import type { LinkSession } from '../session/session.ts';
import type { OAuthConnector } from '../../providers/connector-kinds.ts';

const timeoutMs = 10_000;

interface OwnConnection {
  readonly connection_id: string;
  readonly provider_user_id: string | null;
}

/**
 * The user's connection with tokens of this application, unless another connection uses the same consent, or a link of another user to it
 * waits for confirmation: revoking would end that one too. If the account is unknown, this cannot be checked, and nothing is revoked.
 */
async function findOwn(
  { database, clock }: LinkContext,
  session: LinkSession,
  provider: string,
  application: string,
): Promise<OwnConnection[]> {
  const { teamId, userId } = session;
  return database.sql<OwnConnection[]>`
    SELECT connection_id, provider_user_id FROM connections own
    WHERE team_id = ${teamId} AND user_id = ${userId} AND provider = ${provider} AND application = ${application} AND status = 'connected'
      AND provider_user_id IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM connections c JOIN connection_tokens USING (connection_id)
        WHERE c.provider = own.provider AND c.provider_user_id = own.provider_user_id AND c.connection_id <> own.connection_id
          AND c.status <> 'error' AND c.application = own.application AND (c.application = 'platform' OR c.team_id = own.team_id))
      AND NOT EXISTS (
        SELECT 1 FROM link_consents h
        WHERE h.provider = own.provider AND h.provider_user_id = own.provider_user_id AND h.user_id <> own.user_id
          AND h.expires_at > ${clock.now().toISOString()})`;
}

/**
 * Revokes the tokens of an account that has too many of them in force, with the one that the user's connection holds. The connection ends
 * with an error until the user links again, which then succeeds. False when there is no token for it: the user must revoke the access at
 * the provider.
 */
export async function makeRoom(
  context: LinkContext,
  session: LinkSession,
  connector: OAuthConnector,
  { application, owner }: ChosenApplication,
): Promise<boolean> {
  const [own] = await findOwn(context, session, connector.slug, owner);
  if (!own) return false;
  const { connection_id: connectionId, provider_user_id: providerUserId } = own;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { accessToken, version } = await getAccessToken(context, connectionId, { signal });
    await context.gate.revoke({ connector, application, accessToken, refreshToken: null, providerUserId, signal });
    await markConnectionError(context, connectionId, {
      errorType: 'token_refresh_failed',
      message: 'The account had too many tokens in force, so all of them were revoked',
      tokenVersion: version,
    });
    return true;
  } catch (error) {
    context.logger.warn({ provider: connector.slug, connectionId, errorCode: errorCode(error) }, 'link.tokens_not_revoked');
    return false;
  }
}
