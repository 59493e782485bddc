import type { ProviderRef } from '@pulsewire/contract';
import { all } from './all.ts';
import { withoutConnector } from './without-connector.ts';
import type { AuthType, Connector, ProviderIdentity } from './kit/types/connector.ts';

/** Every connector, by slug. */
export const connectors: readonly Connector[] = all.toSorted((a, b) => a.slug.localeCompare(b.slug));

const bySlug: ReadonlyMap<string, Connector> = new Map(connectors.map((connector) => [connector.slug, connector]));

/** The connector of a slug, at the provider's own addresses; undefined for an unknown one. */
export function findConnector(slug: string): Connector | undefined {
  return bySlug.get(slug);
}

/** Who stands behind a slug: a connector, or else a provider that is known without one. `connectorFor`: the connectors of this process. */
export function findIdentity(slug: string, connectorFor: typeof findConnector = findConnector): ProviderIdentity | undefined {
  return connectorFor(slug) ?? withoutConnector.find((identity) => identity.slug === slug);
}

/** A provider as connections and events show it. */
export function providerRef(connector: Pick<Connector, 'name' | 'slug'>, logoBaseUrl: string): ProviderRef {
  const { name, slug } = connector;
  return { name, slug, logo: `${logoBaseUrl.replace(/\/+$/, '')}/${slug}.svg` };
}

/** A row of the catalogue. */
export interface CatalogueProvider extends ProviderRef {
  readonly description: string;
  readonly auth_type: AuthType;
  readonly supported_resources: readonly string[];
}

/** The catalogue of these connectors, in their order; with `sourceKind` only those of that kind. An unknown kind yields none. */
export function catalogue(
  served: readonly Connector[],
  options: { readonly logoBaseUrl: string; readonly sourceKind?: string | null },
): CatalogueProvider[] {
  const { logoBaseUrl, sourceKind = null } = options;
  return served
    .filter((connector) => sourceKind === null || connector.sourceKind === sourceKind)
    .map((connector) => ({
      ...providerRef(connector, logoBaseUrl),
      description: connector.description,
      auth_type: connector.authType,
      supported_resources: Object.keys(connector.resources),
    }));
}
