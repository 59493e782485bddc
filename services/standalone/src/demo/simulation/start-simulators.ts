import type { ProviderSettingValues } from '@pulsewire/connections';
import { connectors as registered, withEndpoints, type Connector } from '@pulsewire/providers';
import { simulators, type ProviderSimulator } from '@pulsewire/sandbox';
import path from 'node:path';
import type { DemoState } from './demo-state.ts';
import { scriptedSlug, simulatedSlugs, simulatorStateFile } from './simulated-slugs.ts';

/** A provider that waits at its simulator to be linked by hand. */
export interface SimulatedProvider {
  /** At the simulator's addresses. */
  readonly connector: Connector;
  readonly simulator: ProviderSimulator;
}

export interface SimulatorsOptions {
  readonly dataDir: string;
  readonly state: DemoState;
  redirectUri(slug: string): string;
  /** What the operator has set. A provider with any setting of its own is left as it is. */
  readonly values: ProviderSettingValues;
}

const people = [
  { name: 'Ada Lovelace', timeZone: 'America/New_York' },
  // Asked for a code, where there is such a thing.
  { name: 'Grace Hopper', timeZone: 'Europe/Berlin', wantsMfa: true },
];
const deviceReadMs = 60_000;

async function startOne(connector: Connector, options: SimulatorsOptions): Promise<SimulatedProvider | null> {
  const { slug } = connector;
  const entry = simulators.find((candidate) => candidate.slug === slug);
  if (!entry || slug === scriptedSlug) return null;
  const { clientId, clientSecret } = options.state;
  const simulator = await entry.start({
    stateFile: path.join(options.dataDir, simulatorStateFile(slug)),
    applications: [{ clientId, clientSecret, redirectUris: [options.redirectUri(slug)] }],
  });
  for (const person of people)
    simulator.addAccount({ ...person, wantsMfa: person.wantsMfa === true && simulator.capabilities.mfa === true });
  return { connector: withEndpoints(connector, simulator.endpoints), simulator };
}

/** Starts the simulators of every registered provider but Fitbit, all together; each costs a listening server and little more. */
export async function startSimulators(options: SimulatorsOptions): Promise<readonly SimulatedProvider[]> {
  const slugs = new Set(simulatedSlugs(options.values));
  const simulated = registered.filter(({ slug }) => slugs.has(slug));
  const started = await Promise.all(simulated.map((connector) => startOne(connector, options)));
  return started.filter((provider) => provider !== null);
}

/** Reads the devices of everybody who is linked, every minute, so that data goes on to come. Gives what ends it. */
export function keepReadingDevices(providers: readonly SimulatedProvider[], onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    for (const { simulator } of providers) {
      try {
        for (const account of simulator.accounts) if (account.consents() > 0) account.makeNewData();
      } catch (error) {
        // A state file that cannot be written must not end the service.
        onError(error);
      }
    }
  }, deviceReadMs);
  return () => clearInterval(timer);
}
