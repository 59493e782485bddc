import type { ProviderSettingValues } from '@pulsewire/connections';
import { connectors as registered, withEndpoints, type Connector } from '@pulsewire/providers';
import { simulators, type AccountSpec, type ProviderSimulator, type SimulatedAccount } from '@pulsewire/sandbox';
import path from 'node:path';
import type { DemoState } from './demo-state.ts';
import { scriptedSlug, simulatedSlugs, simulatorStateFile } from './simulated-slugs.ts';

/** A simulator, and the connector at its addresses. */
export interface PlacedProvider {
  readonly connector: Connector;
  readonly simulator: ProviderSimulator;
}

/** A simulated provider other than that of the script. */
export interface SimulatedProvider extends PlacedProvider {
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
/** The people of the script. */
const scriptedPeople: readonly AccountSpec[] = [
  { name: 'Ada', timeZone: 'America/New_York' },
  { name: 'Bruno', timeZone: 'Europe/Berlin' },
  { name: 'Chidi', timeZone: 'Asia/Kolkata' },
  { name: 'Dana', timeZone: 'America/Los_Angeles' },
  { name: 'Emre', timeZone: 'Australia/Sydney' },
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

/** Starts the simulator of a provider; null when there is none. `speed`: how many times as fast tokens expire and quotas refill. */
async function place(connector: Connector, options: SimulatorsOptions, speed = 1): Promise<PlacedProvider | null> {
  const { slug } = connector;
  const entry = simulators.find((candidate) => candidate.slug === slug);
  if (!entry) return null;
  const { clientId, clientSecret } = options.state;
  const simulator = await entry.start({
    speed,
    stateFile: path.join(options.dataDir, simulatorStateFile(slug)),
    applications: [{ clientId, clientSecret, redirectUris: [options.redirectUri(slug)] }],
  });
  return { connector: withEndpoints(connector.configure?.(simulator.settings) ?? connector, simulator.endpoints), simulator };
}

/** Starts the simulator of the script's provider, with its people. */
export async function startScripted(options: SimulatorsOptions): Promise<PlacedProvider> {
  const scripted = registered.find(({ slug }) => slug === scriptedSlug);
  // Tokens of an hour expire after four minutes, so that a user can watch them being refreshed.
  const placed = scripted && (await place(scripted, options, 15));
  if (!placed) throw new Error(`${scriptedSlug} has no simulator`);
  for (const person of scriptedPeople) placed.simulator.addAccount(person);
  return placed;
}

async function startOne(connector: Connector, options: SimulatorsOptions): Promise<SimulatedProvider | null> {
  const placed = connector.slug === scriptedSlug ? null : await place(connector, options);
  if (!placed) return null;
  const { simulator } = placed;
  const add = (person: AccountSpec) =>
    simulator.addAccount({ ...person, wantsMfa: person.wantsMfa === true && simulator.capabilities.mfa === true });
  const visitors = people.map(add);
  return { ...placed, account: add(linkedPerson), visitors };
}

/** Starts the simulators of all other registered providers concurrently; each costs little more than a listening server. */
export async function startSimulators(options: SimulatorsOptions): Promise<readonly SimulatedProvider[]> {
  const slugs = new Set(simulatedSlugs(options.values));
  const simulated = registered.filter(({ slug }) => slugs.has(slug));
  const started = await Promise.all(simulated.map((connector) => startOne(connector, options)));
  return started.filter((provider) => provider !== null);
}

/** Syncs the devices of all linked people regularly, so that new data keeps arriving. Returns a function that stops it. */
export function keepReadingDevices(
  providers: readonly PlacedProvider[],
  onError: (error: unknown) => void,
  everyMs = deviceReadMs,
): () => void {
  const timer = setInterval(() => {
    for (const { simulator } of providers) {
      try {
        for (const account of simulator.accounts) if (account.consents() > 0) account.makeNewData();
      } catch (error) {
        // A state file that cannot be written must not end the service.
        onError(error);
      }
    }
  }, everyMs);
  return () => clearInterval(timer);
}
