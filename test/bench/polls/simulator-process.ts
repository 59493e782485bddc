// A provider's simulator in a process of its own, so that its CPU time is not counted as ours.
import { createManualClock } from '@pulsewire/kernel';
import { simulators, type ProviderSimulator, type SimulatorOptions } from '@pulsewire/sandbox';
import { serve } from '../remote.ts';

/** What a client of the simulator needs to know of it. */
export type RemoteSimulator = Pick<ProviderSimulator, 'slug' | 'url' | 'endpoints' | 'settings' | 'capabilities'>;

export interface RemoteStart extends Omit<SimulatorOptions, 'clock'> {
  readonly slug: string;
  readonly startedAt: Date;
}

const notApi = new Set(['token', 'authorize', 'revoke', 'login', 'unknown']);

let simulator: ProviderSimulator | undefined;
const clock = createManualClock(new Date());

function running(): ProviderSimulator {
  if (!simulator) throw new Error('The simulator is not running');
  return simulator;
}

serve({
  async start({ slug, startedAt, ...options }: RemoteStart): Promise<RemoteSimulator> {
    const entry = simulators.find((one) => one.slug === slug);
    if (!entry) throw new Error(`${slug} has no simulator`);
    clock.advance(startedAt.getTime() - clock.now().getTime());
    simulator = await entry.start({ ...options, clock });
    const { url, endpoints, settings, capabilities } = simulator;
    return { slug, url, endpoints, settings, capabilities };
  },
  addAccount(name: string) {
    const { providerUserId, timeZone, credentials, email } = running().addAccount({ name, timeZone: 'Europe/Berlin', historyDays: 14 });
    return { name, providerUserId, timeZone, credentials, email };
  },
  advance(ms: number): void {
    clock.advance(ms);
  },
  /** Calls of the API so far, sign-ins and renewals excluded. */
  calls(): number {
    const ofApi = Object.entries(running().statistics().requests).filter(([kind]) => !notApi.has(kind));
    return ofApi.reduce((sum, [, byStatus]) => sum + Object.values(byStatus).reduce((total, count) => total + count, 0), 0);
  },
});
