import type { Connector, FormField } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import { openLinkSession, type LinkSession, type TokenReference } from './session.ts';
import { listOAuthCredentials } from '../../teams/oauth-credentials.ts';

/** A provider that a link session may link, and its form. */
export interface LinkableProvider {
  readonly connector: Connector;
  /** Fields that the user fills in; null when the browser is redirected to the provider. */
  readonly form: readonly FormField[] | null;
}

/** The providers that this session may link, by name: those that it allows, that are enabled, and that have an application where needed. */
export async function linkableProviders(context: LinkContext, session: LinkSession): Promise<readonly LinkableProvider[]> {
  const { provider, filterOnProviders } = session;
  const own = new Set((await listOAuthCredentials(context.database, session.teamId)).map((credential) => credential.provider));
  const isLinkable = ({ slug, oauth, password, email }: Connector) => {
    if (provider === null ? filterOnProviders !== null && !filterOnProviders.includes(slug) : provider !== slug) return false;
    const hasApplication = own.has(slug) || context.platformApplication(slug) !== null;
    if (oauth) return hasApplication;
    // Links by e-mail need a practice to confirm them.
    return (password !== null || (email !== null && hasApplication)) && context.isEnabled(slug);
  };
  return context.connectors
    .filter(isLinkable)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map((connector) => ({ connector, form: connector.password?.form ?? connector.email?.form ?? null }));
}

/** The same for a token. Throws link errors `invalid_token`, `token_expired`, `token_consumed`. */
export async function listLinkableProviders(context: LinkContext, reference: TokenReference): Promise<readonly LinkableProvider[]> {
  return linkableProviders(context, await openLinkSession(context, reference));
}
