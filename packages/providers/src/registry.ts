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

/** The provider of a slug: a connector, or else a provider without one. `connectorFor`: the connectors of this process. */
export function findIdentity(slug: string, connectorFor: typeof findConnector = findConnector): ProviderIdentity | undefined {
  return connectorFor(slug) ?? withoutConnector.find((identity) => identity.slug === slug);
}

/** A provider as connections and events show it. */
export function providerRef(connector: Pick<Connector, 'name' | 'slug'>, logoBaseUrl: string): ProviderRef {
  const { name, slug } = connector;
  return { name, slug, logo: `${logoBaseUrl.replace(/\/+$/, '')}/${slug}.svg` };
}

/** A sentence about the end of a provider and what replaces it, without a full stop; null: none is announced. */
export function endingText({ end, successor }: Pick<Connector, 'end' | 'successor'>): string | null {
  if (end === undefined) return null;
  const instead = successor === undefined ? '' : `; link ${successor} instead`;
  return `${end.state === 'ended' ? 'Ended' : 'Ends'} ${end.when}${instead}`;
}

/** A row of the catalogue. */
export interface CatalogueProvider extends ProviderRef {
  readonly description: string;
  readonly auth_type: AuthType;
  readonly supported_resources: readonly string[];
  /** Absent: the connector reads everything that it is known to have. */
  readonly unavailable_resources?: Readonly<Record<string, string>>;
}

interface CatalogueOptions {
  readonly logoBaseUrl: string;
  readonly sourceKind?: string | null;
}

/**
 * The catalogue by slug: these connectors, and the sources without one. With `sourceKind` only those of that kind; an unknown kind yields
 * none.
 */
export function catalogue(served: readonly Connector[], { logoBaseUrl, sourceKind = null }: CatalogueOptions): CatalogueProvider[] {
  const others = withoutConnector.filter(({ slug }) => !served.some((connector) => connector.slug === slug));
  const rows = [
    ...served.map((connector) => {
      const description = [connector.description, endingText(connector)].filter((text) => text !== null).join('. ');
      return { ...connector, description, supportedResources: Object.keys(connector.resources) };
    }),
    ...others,
  ];
  return rows
    .filter((source) => sourceKind === null || source.sourceKind === sourceKind)
    .toSorted((a, b) => a.slug.localeCompare(b.slug))
    .map((source) => ({
      ...providerRef(source, logoBaseUrl),
      description: source.description,
      auth_type: source.authType,
      supported_resources: source.supportedResources,
      ...(source.unavailableResources && { unavailable_resources: source.unavailableResources }),
    }));
}
