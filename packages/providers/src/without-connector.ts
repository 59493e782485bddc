import { needs } from './kit/connector-defaults.ts';
import type { ProviderIdentity } from './kit/types/connector.ts';

/**
 * Providers of which sandbox teams may have made-up data before there is a connector, one row each. A row is no
 * connector: it can be neither pulled nor pushed, and it is not in the catalogue, which tells what can be had of a real person.
 * Its resources are those that a demo makes up. A connector of the same slug takes its place and its number; the row then goes.
 */
export const withoutConnector: readonly ProviderIdentity[] = [
  {
    slug: 'apple_health_kit',
    name: 'Apple HealthKit',
    sourceId: 40,
    authType: 'sdk',
    oauth: null,
    resources: { profile: needs(), body: needs(), activity: needs(), sleep: needs(), workouts: needs() },
  },
];
