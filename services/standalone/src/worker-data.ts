import type { ProviderSettingValues } from '@pulsewire/connections';
import { connectors as registered, withEndpoints, type Connector, type ProviderEndpoints } from '@pulsewire/providers';
import { demoProviderValues } from './demo/simulation/provider-values.ts';
import type { DemoSimulation } from './demo/simulation/demo-simulation.ts';
import type { GivenSettings } from './service-settings.ts';

interface PlacedConnector {
  readonly slug: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly endpoints: Partial<ProviderEndpoints>;
}

/** What a worker process of `npm start` receives from its parent; JSON. */
export interface WorkerData {
  readonly given: GivenSettings;
  /** Providers that the demo simulates in the parent, and their settings. */
  readonly simulated: readonly PlacedConnector[];
  readonly values: ProviderSettingValues;
}

export function workerData(given: GivenSettings, simulation: DemoSimulation | null): WorkerData {
  if (simulation === null) return { given, simulated: [], values: {} };
  const simulated = [simulation.scripted, ...simulation.others].map(({ simulator: { slug, settings, endpoints } }) => ({
    slug,
    settings,
    endpoints,
  }));
  return { given, simulated, values: demoProviderValues(simulation) };
}

/** The registry, with simulated providers at the addresses of their simulators. */
export function connectorsOf({ simulated }: Pick<WorkerData, 'simulated'>): readonly Connector[] {
  const bySlug = new Map(simulated.map((placed) => [placed.slug, placed]));
  return registered.map((connector) => {
    const placed = bySlug.get(connector.slug);
    return placed ? withEndpoints(connector.configure?.(placed.settings) ?? connector, placed.endpoints) : connector;
  });
}
