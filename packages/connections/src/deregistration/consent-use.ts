import { AppError, errorCode, isAppError } from '@pulsewire/kernel';
import type { Connector, OAuthApplication } from '@pulsewire/providers';
import type { CustodyContext } from '../context/context.ts';
import { capLinkLocks } from '../link/session/link-lock.ts';
import type { Deregistration } from '../model/deregistration.ts';
import type { OAuthConnector } from '../providers/connector-kinds.ts';

const accountTimeoutMs = 10_000;

/** Tokens to revoke, and their account where it is known. */
export type EndingConsent = Omit<Deregistration, 'connectionId' | 'account'>;

/**
 * Whether another connection uses a consent of this application: for the given account, or with null for any account.
 * Providers have one consent and one set of subscriptions for each account and application. A paused connection with tokens counts, because
 * its team may use them elsewhere; one with an error does not.
 */
export async function isConsentInUse(
  { database }: CustodyContext,
  consent: EndingConsent,
  providerUserId: string | null,
): Promise<boolean> {
  const rows = await database.sql`
    SELECT 1 FROM connections c WHERE c.provider = ${consent.provider} AND c.status <> 'error'
      AND (${providerUserId}::text IS NULL OR c.provider_user_id = ${providerUserId})
      AND c.application = ${consent.application} AND (c.application = 'platform' OR c.team_id = ${consent.teamId})
      AND EXISTS (SELECT 1 FROM connection_tokens t WHERE t.connection_id = c.connection_id) LIMIT 1`;
  return rows.length > 0;
}

/**
 * Throws AppError `link_under_way` while this user is linking this provider, or a link to the same account waits for confirmation: it may
 * use the same consent.
 */
export async function assertNotLinking({ database, clock }: CustodyContext, ending: EndingConsent): Promise<void> {
  const { teamId, userId, provider, providerUserId } = ending;
  await capLinkLocks(database, { userId, teamId });
  const rows = await database.sql`
    (SELECT 1 FROM link_sessions WHERE user_id = ${userId} AND team_id = ${teamId} AND started_provider = ${provider} AND state <> 'success'
      AND callback_until > clock_timestamp() LIMIT 1)
    UNION ALL
    (SELECT 1 FROM link_consents WHERE provider = ${provider} AND expires_at > ${clock.now().toISOString()}
      AND (user_id = ${userId} OR provider_user_id = ${providerUserId}::text) LIMIT 1)`;
  if (rows.length > 0)
    throw new AppError({ code: 'link_under_way', kind: 'unavailable', message: 'The user is linking this provider', retryable: true });
}

/** Requests the account of these tokens from the provider; null when it does not return one. Throws only temporary errors. */
export async function fetchAccountId(
  context: CustodyContext,
  {
    connector,
    application,
    accessToken,
  }: { readonly connector: Connector; readonly application: OAuthApplication; readonly accessToken: string },
  { grantedScopes }: EndingConsent,
): Promise<string | null> {
  try {
    const facts = await context.gate.account({
      connector: connector as OAuthConnector,
      application,
      accessToken,
      providerUserId: null,
      grantedScopes,
      signal: AbortSignal.timeout(accountTimeoutMs),
    });
    return facts.providerUserId;
  } catch (error) {
    if (!isAppError(error) || error.retryable) throw error;
    context.logger.info({ provider: connector.slug, errorCode: errorCode(error) }, 'deregistration.account_unknown');
    return null;
  }
}
