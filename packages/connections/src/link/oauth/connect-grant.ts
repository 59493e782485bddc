import type { AccountFacts } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import { storeConnection, type AcceptedLink } from '../connect/store-connection.ts';
import { callbackUrl } from './callback-url.ts';
import { fetchAccount } from './fetch-account.ts';
import type { ExchangedGrant, Grant } from './grant.ts';
import { linkError } from '../session/link-error.ts';
import type { LinkLock } from '../session/link-lock.ts';
import type { LinkSuccess } from '../session/link-outcome.ts';
import type { LinkSession } from '../session/session.ts';
import { findMustGrantScopes } from '../../teams/scope-requirements.ts';

interface Acceptance {
  readonly facts: AccountFacts;
  readonly traceId: string | null;
  readonly consentId: string | null;
}

async function accept(
  context: LinkContext,
  session: LinkSession,
  grant: ExchangedGrant,
  { facts, traceId, consentId }: Acceptance,
): Promise<AcceptedLink> {
  const { connector, application, tokens } = grant;
  const { providerUserId, account, grantedScopes = grant.grantedScopes } = facts;
  const mustGrant = await findMustGrantScopes(context.database, session.teamId, connector.slug);
  const missing = mustGrant.filter((scope) => !grantedScopes.includes(scope));
  if (missing.length > 0) throw linkError('required_scopes_not_granted', `The user did not grant: ${missing.join(', ')}`);
  const deniedScopes = connector.oauth.scopes.filter((scope) => !grantedScopes.includes(scope));
  const redirectUrl = callbackUrl(context, grant.chosen, connector.slug);
  return {
    connector,
    application,
    tokens,
    redirectUrl,
    providerUserId,
    externalUserId: null,
    grantedScopes,
    deniedScopes,
    account,
    traceId,
    consentId,
  };
}

/**
 * Fetches the account, checks scopes and duplicates, and stores the connection. `onUpdate` receives the known facts of the grant, for a
 * caller that must revoke it. Throws link errors.
 */
export async function connectGrant(
  context: LinkContext,
  lock: LinkLock,
  exchanged: ExchangedGrant,
  options: { readonly traceId: string | null; readonly consentId: string | null; onUpdate?(grant: Grant): void },
): Promise<LinkSuccess> {
  const { session } = lock;
  const facts = await fetchAccount(context, session, exchanged);
  // A revocation needs the account: another connection may use the same consent.
  options.onUpdate?.({ ...exchanged, providerUserId: facts.providerUserId });
  const accepted = await accept(context, session, exchanged, { facts, ...options });
  options.onUpdate?.(accepted);
  const { connectionId, externalUserId } = await storeConnection(context, lock, accepted);
  return { state: 'success', connectionId, externalUserId, redirectUrl: session.redirectUrl };
}
