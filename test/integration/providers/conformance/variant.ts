import { fileURLToPath } from 'node:url';
import type { ProviderSimulator } from '@pulsewire/sandbox';

/** One of several ways to link a provider; the suite is run for each. */
export interface Variant {
  readonly name: string;
  /** Where they differ from those of the simulator. */
  readonly capabilities?: Partial<ProviderSimulator['capabilities']>;
  /** Begins the names of accounts that are linked in this way, where the simulator tells by them. */
  readonly namePrefix?: string;
}

/** The simulator with the capabilities and accounts of a variant. */
export function simulatorOf(
  started: ProviderSimulator,
  { capabilities = {}, namePrefix = '' }: Pick<Variant, 'capabilities' | 'namePrefix'>,
): ProviderSimulator {
  const addAccount: ProviderSimulator['addAccount'] = (spec) => started.addAccount({ ...spec, name: `${namePrefix}${spec.name}` });
  // Not a copy: a simulator has getters.
  return Object.create(started, {
    capabilities: { value: { ...started.capabilities, ...capabilities } },
    addAccount: { value: addAccount },
  }) as ProviderSimulator;
}

const providers = new URL('../../../../packages/providers/src/', import.meta.url);

/** Where the digest of what the suite stores is kept. */
export function digestFile(slug: string, way: Pick<Variant, 'name'> | undefined): string {
  const suffix = way === undefined ? '' : `-${way.name}`;
  return fileURLToPath(new URL(`${slug}/fixtures/conformance${suffix}.expected.json`, providers));
}
