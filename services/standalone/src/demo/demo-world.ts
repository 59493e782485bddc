import { errorCode } from '@pulsewire/kernel';
import { createFitbitSimulator, createReceiver, createSimulatorClock, type FitbitSimulator, type Receiver } from '@pulsewire/sandbox';
import path from 'node:path';
import { loadDemoState, saveDemoState, type DemoState } from './demo-state.ts';

/** What surrounds the service in the demo: a provider and a team's receiver. */
export interface DemoWorld {
  readonly simulator: FitbitSimulator;
  readonly receiver: Receiver;
  readonly state: DemoState;
  close(): Promise<void>;
}

/** An hour of the provider's quota lasts this many times less, so that one can watch it run out and fill again. */
export const simulatorSpeed = 120;

/** Starts both; `baseUrl` is where the API will be. The receiver takes the port of the last start when it is still free. */
export async function startDemoWorld(options: { readonly dataDir: string; readonly redirectUri: string }): Promise<DemoWorld> {
  const state = await loadDemoState(options.dataDir);
  const receiver = await createReceiver({ port: state.receiverPort }).catch((error: unknown) => {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    return createReceiver();
  });
  const kept = { ...state, receiverPort: Number(new URL(receiver.url).port) };
  await saveDemoState(options.dataDir, kept);
  const simulator = await createFitbitSimulator({
    clock: createSimulatorClock({ speed: simulatorSpeed }),
    stateFile: path.join(options.dataDir, 'sandbox-fitbit.json'),
    // Its tokens of eight hours live four minutes here, so one can watch them being refreshed.
    applications: [{ clientId: kept.clientId, clientSecret: kept.clientSecret, redirectUris: [options.redirectUri] }],
  });
  return {
    simulator,
    receiver,
    state: kept,
    async close() {
      await simulator.close();
      await receiver.close();
    },
  };
}
