import { providerConfigFields, type ProviderSettingValues } from '@pulsewire/connections';
import { AppError } from '@pulsewire/kernel';
import { connectors, type Connector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';

/** The provider of the five people whom the demo's script links. */
export const scriptedSlug = 'google_health';

/** State file of a provider's simulator in the data folder. */
export const simulatorStateFile = (slug: string): string => `sandbox-${slug}.json`;

/** Names of the variables that the operator has set for a provider. */
function settingsOf(connector: Connector, values: ProviderSettingValues): readonly string[] {
  return Object.entries(providerConfigFields([connector])).flatMap(([key, field]) => (values[key] === undefined ? [] : [field.env]));
}

/** Providers that the demo simulates: those with a simulator that the operator has not configured. */
export function simulatedSlugs(values: ProviderSettingValues): readonly string[] {
  const available = new Set<string>([scriptedSlug, ...simulators.map(({ slug }) => slug)]);
  return connectors
    .filter((connector) => available.has(connector.slug) && settingsOf(connector, values).length === 0)
    .map(({ slug }) => slug);
}

/** Throws AppError `config_invalid` when the provider that the demo links itself is configured for its real service. */
export function assertDemoConfigurable(values: ProviderSettingValues): void {
  const scripted = connectors.filter(({ slug }) => slug === scriptedSlug);
  const names = scripted.flatMap((connector) => settingsOf(connector, values));
  if (names.length === 0) return;
  throw new AppError({
    code: 'config_invalid',
    kind: 'invalid',
    message: `The demo simulates ${scriptedSlug} and would replace ${names.join(', ')}. Set DEMO=off to use your own settings`,
  });
}
