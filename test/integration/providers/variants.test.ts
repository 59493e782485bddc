import { findConnector, type Connector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { useDatabase } from '../../support/database.ts';
import { describeProvider } from './conformance/describe-provider.ts';
import type { Variant } from './conformance/variant.ts';

const database = useDatabase();

/** The other ways to link a provider, with the settings for them. */
const variants: readonly (Variant & { readonly slug: string; readonly settings: Readonly<Record<string, string>> })[] = [
  { slug: 'my_fitness_pal', name: 'diary', settings: { clientId: '' }, capabilities: { refresh: false } },
  { slug: 'google_health', name: 'inclusive', settings: {}, capabilities: { absent: [] }, namePrefix: 'Inclusive ' },
  { slug: 'abbott_libreview', name: 'patient', settings: {}, capabilities: { conformanceDays: 16 }, namePrefix: 'Patient ' },
];

/** With the scopes that only some operators request. */
const withEveryScope = (connector: Connector): Connector => {
  const { oauth } = connector;
  return oauth === null ? connector : { ...connector, oauth: { ...oauth, scopes: [...oauth.scopes, ...(oauth.optionalScopes ?? [])] } };
};

for (const { slug, settings, ...variant } of variants) {
  const found = findConnector(slug);
  const configured = Object.keys(settings).length === 0 ? found : found?.configure?.(settings);
  const connector = configured && withEveryScope(configured);
  const entry = simulators.find((simulator) => simulator.slug === slug);
  if (!connector || !entry) throw new Error(`${slug} is not registered`);
  describeProvider(database, connector, entry, variant);
}
