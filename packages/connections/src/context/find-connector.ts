import { AppError } from '@pulsewire/kernel';
import type { Connector } from '@pulsewire/providers';
import type { ConnectorWith, LinkKind } from '../providers/connector-kinds.ts';
import type { CustodyContext, LinkContext } from './context.ts';

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
