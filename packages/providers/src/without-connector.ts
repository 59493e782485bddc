import { resources } from '@pulsewire/contract';
import { needs } from './kit/connector-defaults.ts';
import type { Connector, ProviderIdentity, ScopeNeeds } from './kit/types/connector.ts';

/** A source that the catalogue lists although no connector reads it. `resources` are those that a demo generates. */
export interface SourceWithoutConnector extends ProviderIdentity, Pick<Connector, 'description' | 'sourceKind'> {
  readonly supportedResources: readonly string[];
}

type Row = Pick<SourceWithoutConnector, 'slug' | 'name' | 'sourceId' | 'description' | 'sourceKind' | 'supportedResources'> &
  Partial<Pick<SourceWithoutConnector, 'authType' | 'resources'>>;

const row = (fields: Row): SourceWithoutConnector => ({ authType: 'sdk', oauth: null, resources: {}, ...fields });

/** Everything that a team's own app may send. */
const everything = resources
  .filter((resource) => (resource.kind === 'summary' || resource.kind === 'timeseries') && !resource.isDeprecated)
  .map(({ name }) => name);

function phone(slug: string, name: string, sourceId: number, demo: Readonly<Record<string, ScopeNeeds>> = {}): SourceWithoutConnector {
  const description = 'Health store of a phone; the data comes from an app';
  return row({ slug, name, sourceId, description, sourceKind: 'app', supportedResources: everything, resources: demo });
}

function meter(slug: string, name: string, sourceId: number, ...supportedResources: readonly string[]): SourceWithoutConnector {
  const description = "Read over Bluetooth by the team's own app";
  return row({ slug, name: `${name} (Bluetooth)`, sourceId, description, sourceKind: 'ble', supportedResources });
}

/**
 * Sources without a connector, one row each: phones, Bluetooth meters and manual entry, whose data a team's own app sends, and a
 * provider that is closed. A connector of the same slug takes its place and its number; the row is then deleted.
 */
export const withoutConnector: readonly SourceWithoutConnector[] = [
  phone('apple_health_kit', 'Apple HealthKit', 40, {
    profile: needs(),
    body: needs(),
    activity: needs(),
    sleep: needs(),
    workouts: needs(),
  }),
  phone('health_connect', 'Health Connect', 41),
  phone('samsung_health', 'Samsung Health', 42),
  row({
    slug: 'manual',
    name: 'Manual entry',
    sourceId: 43,
    description: "Measurements entered in the team's own app",
    sourceKind: 'app',
    supportedResources: everything,
  }),
  meter('freestyle_libre_ble', 'FreeStyle Libre', 44, 'glucose'),
  meter('beurer_ble', 'Beurer', 45, 'blood_pressure', 'glucose', 'weight'),
  meter('omron_ble', 'Omron', 46, 'blood_pressure', 'weight'),
  meter('accuchek_ble', 'Accu-Chek', 47, 'glucose'),
  meter('contour_ble', 'Contour', 48, 'glucose'),
  meter('onetouch_ble', 'OneTouch', 49, 'glucose'),
  row({
    slug: 'map_my_fitness',
    name: 'MapMyFitness',
    sourceId: 58,
    description: 'Closed to applications by the provider: it cannot be linked',
    sourceKind: 'provider',
    supportedResources: [],
    authType: 'oauth',
  }),
];
