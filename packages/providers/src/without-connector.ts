import { needs } from './kit/connector-defaults.ts';
import type { ProviderIdentity } from './kit/types/connector.ts';

const sourceIds: Readonly<Record<string, readonly [number: number, name: string]>> = {
  health_connect: [41, 'Health Connect'],
  samsung_health: [42, 'Samsung Health'],
  manual: [43, 'Manual entry'],
  freestyle_libre_ble: [44, 'FreeStyle Libre (Bluetooth)'],
  beurer_ble: [45, 'Beurer (Bluetooth)'],
  omron_ble: [46, 'Omron (Bluetooth)'],
  accuchek_ble: [47, 'Accu-Chek (Bluetooth)'],
  contour_ble: [48, 'Contour (Bluetooth)'],
  onetouch_ble: [49, 'OneTouch (Bluetooth)'],
};

/**
 * Providers of which sandbox teams may have made-up data before there is a connector, one row each. A row is no
 * connector: it can be neither pulled nor pushed, and it is not in the catalogue, which tells what can be had of a real person.
 * Its resources are those that a demo makes up; sources whose data only a team's own app sends have none. A connector of the same slug takes its place and its number; the row then goes.
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
  ...Object.entries(sourceIds).map(([slug, [sourceId, name]]): ProviderIdentity => ({
    slug,
    name,
    sourceId,
    authType: 'sdk',
    oauth: null,
    resources: {},
  })),
];
