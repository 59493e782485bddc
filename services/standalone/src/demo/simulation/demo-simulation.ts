import { errorCode, type Logger } from '@pulsewire/kernel';
import { findEventProblem } from '@pulsewire/contract';
import { createFitbitSimulator, createReceiver, type FitbitSimulator, type Receiver } from '@pulsewire/sandbox';
import path from 'node:path';
import type { ProviderSettingValues } from '@pulsewire/connections';
import { loadDemoState, saveDemoState, type DemoState } from './demo-state.ts';
import { scriptedSlug, simulatorStateFile } from './simulated-slugs.ts';
import { keepReadingDevices, startSimulators, type SimulatedProvider } from './start-simulators.ts';

/** The demo's external systems: simulated providers and a team's receiver. */
export interface DemoSimulation {
  /** The Fitbit of the script. */
  readonly simulator: FitbitSimulator;
  /** Each has a person whom the demo links, and people for linking by hand. */
  readonly others: readonly SimulatedProvider[];
  readonly receiver: Receiver;
  readonly state: DemoState;
  close(): Promise<void>;
}

/** Speed-up of the provider's quota hour, so that a user can watch the quota run out and refill. */
export const simulatorSpeed = 120;

export interface DemoSimulationOptions {
  readonly dataDir: string;
  /** Redirect URL of OAuth sign-ins. */
  redirectUri(slug: string): string;
  /** The operator's own settings of providers. */
  readonly values: ProviderSettingValues;
  readonly logger: Logger;
}

/** Starts the simulation. The receiver reuses the port of the last start if it is free. */
export async function startDemoSimulation(options: DemoSimulationOptions): Promise<DemoSimulation> {
  const state = await loadDemoState(options.dataDir);
  const receiver = await createReceiver({ port: state.receiverPort, findProblem: findEventProblem }).catch((error: unknown) => {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    return createReceiver({ findProblem: findEventProblem });
  });
  const kept = { ...state, receiverPort: Number(new URL(receiver.url).port) };
  await saveDemoState(options.dataDir, kept);
  const simulator = await createFitbitSimulator({
    speed: simulatorSpeed,
    stateFile: path.join(options.dataDir, simulatorStateFile(scriptedSlug)),
    // Its eight-hour tokens expire after four minutes here, so that a user can watch them being refreshed.
    applications: [{ clientId: kept.clientId, clientSecret: kept.clientSecret, redirectUris: [options.redirectUri(scriptedSlug)] }],
  });
  const others = await startSimulators({ ...options, state: kept });
  const stopReading = keepReadingDevices(others, (error) => options.logger.warn({ errorCode: errorCode(error) }, 'simulator.save_failed'));
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
