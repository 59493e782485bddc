import { errorCode, type Logger } from '@pulsewire/kernel';
import { findEventProblem } from '@pulsewire/contract';
import { createReceiver, type Receiver } from '@pulsewire/sandbox';
import type { ProviderSettingValues } from '@pulsewire/connections';
import { loadDemoState, saveDemoState, type DemoState } from './demo-state.ts';
import { keepReadingDevices, startScripted, startSimulators, type PlacedProvider, type SimulatedProvider } from './start-simulators.ts';

export const scriptedSyncMs = 10_000;

/** The demo's external systems: simulated providers and a team's receiver. */
export interface DemoSimulation {
  /** The provider of the script, with its five people. */
  readonly scripted: PlacedProvider;
  /** Each has a person whom the demo links, and people for linking by hand. */
  readonly others: readonly SimulatedProvider[];
  readonly receiver: Receiver;
  readonly state: DemoState;
  /** Lets the devices of the script's people sync every few seconds. */
  startSyncing(): void;
  close(): Promise<void>;
}

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
  const scripted = await startScripted({ ...options, state: kept });
  const others = await startSimulators({ ...options, state: kept });
  const onError = (error: unknown) => options.logger.warn({ errorCode: errorCode(error) }, 'simulator.save_failed');
  const stopReading = [keepReadingDevices(others, onError)];
  return {
    scripted,
    others,
    receiver,
    state: kept,
    startSyncing: () => void stopReading.push(keepReadingDevices([scripted], onError, scriptedSyncMs)),
    async close() {
      for (const stop of stopReading) stop();
      await Promise.all(others.map((other) => other.simulator.close()));
      await scripted.simulator.close();
      await receiver.close();
    },
  };
}
