import { AppError } from '@pulsewire/kernel';
import type { Connector } from '@pulsewire/providers';
import type { ConnectorWith, LinkKind } from '../providers/connector-kinds.ts';
import type { CustodyContext, LinkContext } from './context.ts';

/** The connector of a stored slug. Throws AppError `provider_unknown` when this process has no such connector. */
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
  const way = { oauth: 'OAuth', password: 'user name and password', email: 'e-mail address' }[kind];
  const offer = slugs.length > 0 ? slugs.join(', ') : 'none';
  const connector = context.connectorFor(provider);
  const isOff = connector?.[kind] != null;
  const needs = connector?.ownFormat === undefined ? '' : ` ${connector.ownFormat}`;
  return new AppError({
    code: isOff ? 'provider_off' : 'provider_unknown',
    kind: 'invalid',
    message: `This provider is ${isOff ? 'disabled in' : 'not supported by'} this installation.${needs} Providers linked by ${way}: ${offer}`,
    details: { provider },
  });
}

/**
 * The connector of a provider that users may link this way. Throws AppError `provider_unknown`, also when the provider is linked in another
 * way, and `provider_off` when the operator has not enabled it; both messages list the providers that can be linked this way.
 */
export function linkableConnector<Kind extends LinkKind>(context: LinkContext, provider: string, kind: Kind): ConnectorWith<Kind> {
  const connector = context.connectorFor(provider);
  if (!connector?.[kind] || !context.isEnabled(provider)) throw notLinkable(context, provider, kind);
  return connector as ConnectorWith<Kind>;
}
