import type { ProviderSettingValues } from '@pulsewire/connections';
import { connectors as registered, withEndpoints, type Connector } from '@pulsewire/providers';
import { simulators, type AccountSpec, type ProviderSimulator, type SimulatedAccount } from '@pulsewire/sandbox';
import path from 'node:path';
import type { DemoState } from './demo-state.ts';
import { scriptedSlug, simulatedSlugs, simulatorStateFile } from './simulated-slugs.ts';

/** A simulated provider other than the script's Fitbit. */
export interface SimulatedProvider {
  /** At the simulator's addresses. */
  readonly connector: Connector;
  readonly simulator: ProviderSimulator;
  /** The person whom the demo links. */
  readonly account: SimulatedAccount;
  /** The people for linking by hand. */
  readonly visitors: readonly SimulatedAccount[];
}

export interface SimulatorsOptions {
  readonly dataDir: string;
  readonly state: DemoState;
  redirectUri(slug: string): string;
  /** The operator's settings. A provider with any setting of its own is not simulated. */
  readonly values: ProviderSettingValues;
}

/** Days of history of the people whom the demo links. */
export const demoHistoryDaysMax = 10;

const people = [
  { name: 'Ada Lovelace', timeZone: 'America/New_York' },
  // This account requires a code, if the provider supports codes.
  { name: 'Grace Hopper', timeZone: 'Europe/Berlin', wantsMfa: true },
];
/** Linked by the demo: with a short history, because some providers send all of it with every response. */
const linkedPerson = {
  name: 'Alan Turing',
  timeZone: 'Europe/London',
  historyDays: demoHistoryDaysMax + 2,
  wantsMfa: true,
  hasNoObstacles: true,
};
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
  const add = (person: AccountSpec) =>
    simulator.addAccount({ ...person, wantsMfa: person.wantsMfa === true && simulator.capabilities.mfa === true });
  const visitors = people.map(add);
  const placed = withEndpoints(connector.configure?.(simulator.settings) ?? connector, simulator.endpoints);
  return { connector: placed, simulator, account: add(linkedPerson), visitors };
}

/** Starts the simulators of all registered providers except Fitbit concurrently; each costs little more than a listening server. */
export async function startSimulators(options: SimulatorsOptions): Promise<readonly SimulatedProvider[]> {
  const slugs = new Set(simulatedSlugs(options.values));
  const simulated = registered.filter(({ slug }) => slugs.has(slug));
  const started = await Promise.all(simulated.map((connector) => startOne(connector, options)));
  return started.filter((provider) => provider !== null);
}

/** Syncs the devices of all linked people every minute, so that new data keeps arriving. Returns a function that stops it. */
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
