import { errorCode, type Logger } from '@pulsewire/kernel';
import { createFitbitSimulator, createReceiver, type FitbitSimulator, type Receiver } from '@pulsewire/sandbox';
import path from 'node:path';
import type { ProviderSettingValues } from '@pulsewire/connections';
import { loadDemoState, saveDemoState, type DemoState } from './demo-state.ts';
import { scriptedSlug, simulatorStateFile } from './simulated-slugs.ts';
import { keepReadingDevices, startSimulators, type SimulatedProvider } from './start-simulators.ts';

/** What surrounds the service in the demo: providers and a team's receiver. */
export interface DemoSimulation {
  /** The Fitbit of the script. */
  readonly simulator: FitbitSimulator;
  /** To be linked by hand. */
  readonly others: readonly SimulatedProvider[];
  readonly receiver: Receiver;
  readonly state: DemoState;
  close(): Promise<void>;
}

/** An hour of the provider's quota lasts this many times less, so that one can watch it run out and fill again. */
export const simulatorSpeed = 120;

export interface DemoSimulationOptions {
  readonly dataDir: string;
  /** Where a provider sends the browser back to. */
  redirectUri(slug: string): string;
  /** The operator's own settings of providers. */
  readonly values: ProviderSettingValues;
  readonly logger: Logger;
}

/** Starts them. The receiver takes the port of the last start when it is still free. */
export async function startDemoSimulation(options: DemoSimulationOptions): Promise<DemoSimulation> {
  const state = await loadDemoState(options.dataDir);
  const receiver = await createReceiver({ port: state.receiverPort }).catch((error: unknown) => {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    return createReceiver();
  });
  const kept = { ...state, receiverPort: Number(new URL(receiver.url).port) };
  await saveDemoState(options.dataDir, kept);
  const simulator = await createFitbitSimulator({
    speed: simulatorSpeed,
    stateFile: path.join(options.dataDir, simulatorStateFile(scriptedSlug)),
    // Its tokens of eight hours live four minutes here, so one can watch them being refreshed.
    applications: [{ clientId: kept.clientId, clientSecret: kept.clientSecret, redirectUris: [options.redirectUri('fitbit')] }],
  });
  const others = await startSimulators({ ...options, state: kept });
  const stopReading = keepReadingDevices(others, (error) => options.logger.warn({ code: errorCode(error) }, 'simulator_not_saved'));
  return {
    simulator,
    others,
    receiver,
    state: kept,
    async close() {
      stopReading();
      await Promise.all(others.map((other) => other.simulator.close()));
      await simulator.close();
      await receiver.close();
    },
  };
}
