import { providerError } from './provider-error.ts';
import type { Connector, ProviderEndpoints } from '../types/connector.ts';

/**
 * The same connector at other addresses, so that a simulator can replace the provider. Overriding `apiBaseUrl` alone also
 * overrides every region, and overriding `tokenUrl` alone leaves no address for revocations. `configure` keeps the overridden addresses.
 */
export function withEndpoints(connector: Connector, overrides: Partial<ProviderEndpoints>): Connector {
  const { linkDomain, ...known } = connector.endpoints;
  const { apiBaseUrl, regionUrls } = { ...known, ...overrides };
  const isMoved = overrides.apiBaseUrl !== undefined && overrides.regionUrls === undefined && regionUrls !== undefined;
  const moved = isMoved ? { regionUrls: Object.fromEntries(Object.keys(regionUrls).map((region) => [region, apiBaseUrl])) } : {};
  const links = linkDomain === undefined || overrides.apiBaseUrl !== undefined ? {} : { linkDomain };
  // Secrets of one place must not go to the revocation endpoint of another.
  const isTokenMoved = overrides.tokenUrl !== undefined && overrides.tokenUrl !== known.tokenUrl;
  const revocation = isTokenMoved && overrides.revokeUrl === undefined ? { revokeUrl: null } : {};
  const configure = connector.configure?.bind(connector);
  const placed = { ...connector, endpoints: { ...known, ...links, ...revocation, ...overrides, ...moved } };
  // Without this, configuring a connector that points at a simulator would send its calls to the real provider.
  return configure ? { ...placed, configure: (values) => withEndpoints(configure(values), overrides) } : placed;
}

/** Of a provider whose data interface is not public, until the operator configures an address. No host has such a name. */
export const unknownAddress = 'https://address-not-configured.invalid';

/** Whether it is known where the provider's data are read. */
export function hasAddress({ endpoints }: Pick<Connector, 'endpoints'>): boolean {
  return endpoints.apiBaseUrl !== unknownAddress;
}

/** The base address of a region. Throws AppError `provider_permanent` for an unknown region. */
export function regionBaseUrl({ apiBaseUrl, regionUrls }: ProviderEndpoints, region: unknown): string {
  if (typeof region !== 'string' || regionUrls === undefined) return apiBaseUrl;
  const url = Object.hasOwn(regionUrls, region) ? regionUrls[region] : undefined;
  if (url === undefined) throw providerError('provider_permanent', { reason: 'unknown_region' });
  return url;
}

function isBelow(url: URL, base: string | null | undefined): boolean {
  if (base === null || base === undefined) return false;
  const { origin, pathname } = new URL(base);
  const folder = pathname.replace(/\/+$/, '');
  return url.origin === origin && (url.pathname === folder || url.pathname.startsWith(`${folder}/`));
}

function isInDomain({ protocol, hostname, port }: URL, domain: string | undefined): boolean {
  return domain !== undefined && protocol === 'https:' && port === '' && (hostname === domain || hostname.endsWith(`.${domain}`));
}

/**
 * Resolves a path below `baseUrl`. An absolute URL, such as a paging link, must be below one of the provider's own addresses,
 * so that tokens are never sent to another host; otherwise throws AppError `provider_permanent`.
 */
export function resolveUrl(endpoints: ProviderEndpoints, baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const address = path.startsWith('/') ? `${base}${path}` : path;
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  const own = [baseUrl, endpoints.authorizeUrl, endpoints.tokenUrl, endpoints.revokeUrl, ...Object.values(endpoints.regionUrls ?? {})];
  if (url === undefined || !(own.some((place) => isBelow(url, place)) || isInDomain(url, endpoints.linkDomain)))
    throw providerError('provider_permanent', { reason: 'foreign_url', host: url?.host ?? '' });
  return url.toString();
}
