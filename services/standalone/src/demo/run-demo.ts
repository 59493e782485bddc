import { pushAddress } from '@pulsewire/ingest';
import { createApiClient } from './client/api-client.ts';
import type { DemoContext } from './client/demo-context.ts';
import { linkPeople, personOf } from './link-people.ts';
import { orderLabTest } from './order-lab-test.ts';
import { linkOthers } from './others/link-others.ts';
import { printSources } from './others/print-sources.ts';
import { waitForOthers } from './others/wait-for-others.ts';
import { printNextSteps, printSummary } from './print-next-steps.ts';
import { registerReceiver } from './register-receiver.ts';
import { type DemoSimulation, scriptedSyncMs } from './simulation/demo-simulation.ts';
import { waitForHistory, waitForLive } from './wait-for-data.ts';

/** Registers our addresses at providers where a developer does this in a portal; the service itself subscribes at the others. */
async function registerPushes({ scripted, others, state }: DemoSimulation, baseUrl: string): Promise<void> {
  for (const { connector, simulator } of [scripted, ...others]) {
    const address = pushAddress(connector, { baseUrl, verificationCode: state.verificationCode, owner: 'platform' });
    if (simulator.capabilities.push?.registration === 'portal' && address) await simulator.pushes?.registerPush(state.clientId, address);
  }
}

/** Prints the next steps, then performs the steps of a new user with only the public API. The next start continues with the same people. */
export async function runDemo(context: DemoContext, signal: AbortSignal): Promise<void> {
  const { simulation, narrator, clock } = context;
  const api = createApiClient(context.baseUrl, context.apiKey);
  const startedMs = clock.monotonicMs();
  const { connector, simulator } = simulation.scripted;
  const [firstAccount] = simulator.accounts;
  await printNextSteps(context, api, firstAccount && (await personOf(context, api, firstAccount)));
  const endpointId = await registerReceiver(api, simulation.receiver);
  const readStatus = () => context.readStatus(endpointId);
  await registerPushes(simulation, context.baseUrl);
  narrator.say(`A simulated ${connector.name} is at ${simulator.url}; our push address is registered there.`);
  narrator.say(`A receiver that checks every signature with the npm package "standardwebhooks" is at ${simulation.receiver.url}.`);

  const people = await linkPeople(context, api, signal);
  if (signal.aborted) return;
  if (people[0] !== undefined) await orderLabTest(api, narrator, people[0]);
  const before = simulation.receiver.statistics();
  // Linked while the first history is pulled, so that neither waits for the other.
  const others = await linkOthers(context, api, signal);
  await waitForHistory(context, readStatus, people.length, signal);
  const reports = await waitForOthers(context, api, others, signal);
  // Their last deliveries.
  await waitForHistory(context, readStatus, people.length, signal);
  if (signal.aborted) return;
  printSources(narrator, reports);
  const users = people.length + new Set(others.map(({ clientUserId }) => clientUserId)).size;
  await printSummary(context, await readStatus(), users, startedMs);
  narrator.say(`Now the trackers sync: every ${scriptedSyncMs / 1000} s. ${connector.name} notifies us, we pull, you receive.`);
  simulation.startSyncing();
  await waitForLive(context, before.byEventType, signal);
  if (signal.aborted) return;
  await printSummary(context, await readStatus(), users, startedMs);
}
