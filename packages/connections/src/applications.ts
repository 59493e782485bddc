import { AppError } from '@pulsewire/kernel';
import type { Connector, OAuthApplication } from '@pulsewire/providers';
import type { Executor } from '@pulsewire/database';
import type { CustodyContext, LinkContext } from './context.ts';
import { findTeamApplication } from './teams/oauth-credentials.ts';

export interface ChosenApplication {
  readonly application: OAuthApplication;
  readonly owner: 'team' | 'platform';
  /** The team's own address that forwards to our callback, or null. */
  readonly redirectUrlOverride: string | null;
}

/** The application for a new link, or the practice where people are linked by e-mail: the team's own before the platform's. Throws AppError `provider_not_configured`. */
export async function chooseApplication(
  executor: Executor,
  context: CustodyContext,
  teamId: string,
  provider: string,
): Promise<ChosenApplication> {
  const own = await findTeamApplication(executor, context.cipher, teamId, provider);
  if (own) return { application: own, owner: 'team', redirectUrlOverride: own.redirectUrlOverride };
  const platform = context.platformApplication(provider);
  if (platform) return { application: platform, owner: 'platform', redirectUrlOverride: null };
  throw new AppError({
    code: 'provider_not_configured',
    kind: 'invalid',
    message: 'No OAuth application is configured for this provider',
    details: { provider },
  });
}

/**
 * The application that a connection's tokens belong to: no other one can refresh or revoke them. Null where no application stands
 * between the user and the provider. Throws AppErrors `provider_not_configured` and `provider_unknown`.
 */
export async function applicationOf(
  executor: Executor,
  context: CustodyContext,
  connection: { readonly teamId: string; readonly provider: string; readonly application: 'team' | 'platform' },
): Promise<OAuthApplication | null> {
  const { teamId, provider } = connection;
  const { oauth, email } = connectorOf(context, provider);
  if (oauth === null && email === null) return null;
  const found =
    connection.application === 'team'
      ? await findTeamApplication(executor, context.cipher, teamId, provider)
      : context.platformApplication(provider);
  if (found) return found;
  throw new AppError({
    code: 'provider_not_configured',
    kind: 'invalid',
    message: 'The application of this connection is not configured any more',
    details: { provider },
  });
}

/** The connector of a stored slug. Throws AppError `provider_unknown` for one that is not registered in this process. */
export function connectorOf(context: Pick<CustodyContext, 'connectorFor'>, provider: string): Connector {
  const connector = context.connectorFor(provider);
  if (!connector)
    throw new AppError({
      code: 'provider_unknown',
      kind: 'invalid',
      message: 'No connector is registered for this provider',
      details: { provider },
    });
  return connector;
}

type LinkKind = 'oauth' | 'password' | 'email';

/** A connector whose way of linking is known. */
type ConnectorWith<Kind extends LinkKind> = Connector & { readonly [K in Kind]: NonNullable<Connector[K]> };
export type OAuthConnector = ConnectorWith<'oauth'>;
export type PasswordConnector = ConnectorWith<'password'>;
export type EmailConnector = ConnectorWith<'email'>;

function notLinkable(context: LinkContext, provider: string, kind: LinkKind): AppError {
  const served = context.connectors.filter((connector) => connector[kind] !== null && context.isEnabled(connector.slug));
  const slugs = served.map(({ slug }) => slug).toSorted();
  const way = { oauth: 'by OAuth', password: 'with user name and password', email: 'by an e-mail address' }[kind];
  const offer = slugs.length > 0 ? `links ${slugs.join(', ')}` : 'links nobody';
  const isOff = context.connectorFor(provider)?.[kind] != null;
  return new AppError({
    code: isOff ? 'provider_off' : 'provider_unknown',
    kind: 'invalid',
    message: `This installation ${isOff ? 'has this provider switched off' : 'does not serve this provider'}; ${way} it ${offer}`,
    details: { provider },
  });
}

/**
 * The connector that a person may link in this way. Throws AppError `provider_unknown`, also when the provider is linked in another
 * way, and `provider_off` when the operator has not switched it on; both say what can be linked so.
 */
export function linkableConnector<Kind extends LinkKind>(context: LinkContext, provider: string, kind: Kind): ConnectorWith<Kind> {
  const connector = context.connectorFor(provider);
  if (!connector?.[kind] || !context.isEnabled(provider)) throw notLinkable(context, provider, kind);
  return connector as ConnectorWith<Kind>;
}
