import { addDays } from '@pulsewire/database';
import { sleep, type Clock } from '@pulsewire/kernel';
import { createApiClient, type ApiClient } from './api-client.ts';
import type { DemoSimulation } from './simulation/demo-simulation.ts';
import { isLinked, linkAccount } from './link-account.ts';
import { count, type Narrator } from './narrator.ts';
import { findOrCreatePerson, type Person } from './people.ts';
import { orderLabTest } from './order-lab-test.ts';
import { registerReceiver } from './register-receiver.ts';
import { registerPushes } from './register-pushes.ts';
import { signInLines } from './sign-in-lines.ts';
import { curlLines } from './curl-lines.ts';

/** Progress of the installation, from its own endpoints and tables. */
export interface DemoStatus {
  readonly windowsTotal: number;
  readonly windowsDone: number;
  readonly windowsFailed: number;
  readonly windowsWaitingForQuota: number;
  readonly samples: number;
  readonly summaries: number;
  readonly events: number;
  /** Events that the demo's receiver has not received yet; other endpoints of the team do not count. */
  readonly undelivered: number;
  /** Failed attempts at the receiver since the first start; each was or will be repeated. */
  readonly failedAttempts: number;
}

export interface DemoContext {
  readonly simulation: DemoSimulation;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Shell command that sets API_KEY. */
  readonly setKeyLine: string;
  readonly narrator: Narrator;
  readonly clock: Clock;
  /** Days of history to pull for new users; undefined: as many as for any other user. */
  readonly historyDays: number | undefined;
  readStatus(endpointId: string): Promise<DemoStatus>;
}

const lookMs = 500;
const liveEveryMs = 10_000;
const historyMaxMs = 15 * 60_000;
const liveMaxMs = 60_000;

/** Performs the steps of a new user with only the public API, and prints what happens. The next start continues with the same people. */
export async function runDemo(context: DemoContext, signal: AbortSignal): Promise<void> {
  const { simulation, narrator, clock } = context;
  const api = createApiClient(context.baseUrl, context.apiKey);
  const startedMs = clock.monotonicMs();
  const endpointId = await registerReceiver(api, simulation.receiver);
  const readStatus = () => context.readStatus(endpointId);
  const isVerified = await simulation.simulator.pushes.registerPush(simulation.state.clientId, {
    callbackUrl: `${context.baseUrl}/v2/push/fitbit`,
    verificationCode: simulation.state.verificationCode,
  });
  await registerPushes(simulation, context.baseUrl);
  narrator.say(
    `A simulated Fitbit with recorded data is at ${simulation.simulator.url}; it ${isVerified ? 'has verified' : 'could NOT verify'} our push address.`,
  );
  narrator.say(`A receiver that checks every signature with the npm package "standardwebhooks" is at ${simulation.receiver.url}.`);

  const people = await linkPeople(context, api, signal);
  if (signal.aborted) return;
  if (people[0] !== undefined) await orderLabTest(api, narrator, people[0]);
  await printNextSteps(context, api, people[0]);
  const before = simulation.receiver.statistics();
  await waitForHistory(context, readStatus, people.length, signal);
  if (signal.aborted) return;
  await printSummary(context, await readStatus(), people.length, startedMs);
  narrator.say(
    `Now the trackers sync: new minutes every ${liveEveryMs / 1000} s, sometimes with a correction of earlier ones. Fitbit notifies us, we pull, you receive.`,
  );
  simulation.simulator.startTicking({ everyMs: liveEveryMs, minutes: 1 });
  await waitForLive(context, before.byEventType, signal);
  if (signal.aborted) return;
  await printSummary(context, await readStatus(), people.length, startedMs);
}

/** Prints the next steps for a new user, while the history of the demo's users is still being pulled. */
async function printNextSteps({ baseUrl, narrator, setKeyLine, simulation }: DemoContext, api: ApiClient, person: Person | undefined) {
  narrator.say('');
  narrator.say('Try next; the data fills in while you look:');
  for (const line of curlLines({ baseUrl, setKeyLine, userId: person?.userId ?? '', receiverUrl: simulation.receiver.url }))
    narrator.say(line);
  const linkUrl = await linkPageOf(api, person);
  if (linkUrl !== null) {
    narrator.say(`Link a provider by hand, in a browser (for an hour): ${linkUrl}`);
    if (simulation.others.length > 0)
      narrator.say(`${simulation.others.length} more providers are simulated. Those without a consent page accept:`);
    for (const line of signInLines(simulation.others)) narrator.say(line);
  }
  narrator.say(`The API reference: ${baseUrl}/docs. Ctrl-C stops cleanly; the next start continues from here.`);
  narrator.say('');
}

async function linkPageOf(api: ApiClient, person: Person | undefined): Promise<string | null> {
  if (person === undefined) return null;
  return (await api.call<{ link_web_url: string }>('POST', '/v2/link/token', { body: { user_id: person.userId } })).link_web_url;
}

async function linkPeople(
  { simulation, narrator, clock, baseUrl, historyDays }: DemoContext,
  api: ApiClient,
  signal: AbortSignal,
): Promise<readonly Person[]> {
  const ingestionStart = historyDays === undefined ? null : addDays(clock.now().toISOString().slice(0, 10), -historyDays);
  const people: Person[] = [];
  let linked = 0;
  for (const account of simulation.simulator.accounts) {
    if (signal.aborted) break;
    const person = await findOrCreatePerson(api, account, ingestionStart);
    people.push(person);
    if (await isLinked(api, person)) continue;
    await linkAccount(api, person, `${baseUrl}/docs`);
    linked += 1;
  }
  const names = people.map((person) => person.name).join(', ');
  narrator.say(
    linked > 0
      ? `Linked ${linked} of ${people.length} users to Fitbit by authorization code with PKCE: ${names}.`
      : `Continuing with ${people.length} users who are linked already: ${names}.`,
  );
  return people;
}

async function waitForHistory(
  { narrator, clock, simulation }: DemoContext,
  readStatus: () => Promise<DemoStatus>,
  users: number,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = clock.monotonicMs() + historyMaxMs;
  while (!signal.aborted && clock.monotonicMs() < deadlineMs) {
    const status = await readStatus();
    const isPulled = status.windowsTotal > 0 && status.windowsDone + status.windowsFailed >= status.windowsTotal;
    if (isPulled && status.undelivered === 0) return;
    const waiting =
      status.windowsWaitingForQuota > 0
        ? `; ${status.windowsWaitingForQuota} windows wait for the hourly quota (an hour lasts half a minute here)`
        : '';
    narrator.progress(
      `  history of ${users} users: ${status.windowsDone} of ${status.windowsTotal} windows, ${count(status.samples)} samples, ${count(simulation.receiver.statistics().accepted)} deliveries${waiting}`,
    );
    await sleep(lookMs, signal);
  }
}

/** Waits until a new and a corrected value have arrived, or nothing has for a minute. */
async function waitForLive(
  { simulation, clock }: DemoContext,
  before: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = clock.monotonicMs() + liveMaxMs;
  const grown = (suffix: string, base: Readonly<Record<string, number>>) => {
    const total = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).reduce((sum, [type, value]) => sum + (type.startsWith('daily.') && type.endsWith(suffix) ? value : 0), 0);
    return total(simulation.receiver.statistics().byEventType) > total(base);
  };
  const atStart = simulation.receiver.statistics().byEventType;
  while (!signal.aborted && clock.monotonicMs() < deadlineMs) {
    if (grown('.created', atStart) && grown('.updated', before)) return;
    await sleep(lookMs, signal);
  }
}

async function printSummary(
  { narrator, clock, simulation }: DemoContext,
  status: DemoStatus,
  users: number,
  startedMs: number,
): Promise<void> {
  const received = simulation.receiver.statistics();
  const seconds = Math.max(1, (clock.monotonicMs() - startedMs) / 1000);
  narrator.say(
    `  ${users} users, ${count(status.samples)} samples and ${count(status.summaries)} summaries stored, ${count(status.events)} events in the log.`,
  );
  narrator.say(
    `  Since this start, ${Math.round(seconds)} s ago: ${count(received.accepted)} deliveries with a valid signature, ${count(received.rejected)} with an invalid one, ${count(received.repeated)} repeated; ${(received.accepted / seconds).toFixed(1)} deliveries/s.`,
  );
  narrator.say(`  Failed attempts: ${count(status.failedAttempts)}; undelivered: ${count(status.undelivered)}.`);
  if (status.windowsFailed > 0)
    narrator.say(`  ${status.windowsFailed} windows of history were given up; the reasons are stored with them.`);
}
