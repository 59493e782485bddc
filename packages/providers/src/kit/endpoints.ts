import type { Connector, ProviderEndpoints } from './types.ts';

/** The same connector at other addresses, so that a simulator can stand in for the provider. */
export function withEndpoints(connector: Connector, overrides: Partial<ProviderEndpoints>): Connector {
  return { ...connector, endpoints: { ...connector.endpoints, ...overrides } };
}
