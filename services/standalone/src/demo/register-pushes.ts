import { pushAddress } from '@pulsewire/ingest';
import type { DemoSimulation } from './simulation/demo-simulation.ts';

/** Registers our addresses at providers where a developer does this in a portal; the service itself subscribes at the others. */
export async function registerPushes({ scripted, others, state }: DemoSimulation, baseUrl: string): Promise<void> {
  for (const { connector, simulator } of [scripted, ...others]) {
    const address = pushAddress(connector, { baseUrl, verificationCode: state.verificationCode, owner: 'platform' });
    if (simulator.capabilities.push?.registration === 'portal' && address) await simulator.pushes?.registerPush(state.clientId, address);
  }
}
