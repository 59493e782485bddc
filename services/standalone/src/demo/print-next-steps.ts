import { utcDay } from '@pulsewire/kernel';
import type { ApiClient } from './client/api-client.ts';
import type { DemoContext, DemoStatus } from './client/demo-context.ts';
import { count } from './client/narrator.ts';
import type { Person } from './client/people.ts';
import type { SimulatedProvider } from './simulation/start-simulators.ts';

/** Commands for pasting into a shell, beginning with the one that sets the key. They do not contain the key itself. */
function curlLines(options: {
  readonly baseUrl: string;
  readonly setKeyLine: string;
  readonly userId: string;
  readonly receiverUrl: string;
}): readonly string[] {
  const { baseUrl, userId } = options;
  const since = utcDay(Date.now() - 2 * 86_400_000);
  return [
    `  ${options.setKeyLine}`,
    `  curl -s -H "x-service-api-key: $API_KEY" '${baseUrl}/v2/summary/activity/${userId}?start_date=${since}'`,
    `  curl -s -H "x-service-api-key: $API_KEY" '${baseUrl}/v2/timeseries/${userId}/steps/grouped?start_date=${since}' | head -c 1000`,
    `  curl -s -H "x-service-api-key: $API_KEY" '${baseUrl}/v2/user/resolve/demo-oura'   # the user of any other provider`,
    `  curl -s '${options.receiverUrl}' | head -c 1000`,
  ];
}

/** Credentials for the simulated providers: one line per person, with the code if one is required. */
function signInLines(providers: readonly SimulatedProvider[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const { connector, simulator, visitors } of providers) {
    if (simulator.capabilities.auth === 'oauth') continue;
    for (const { credentials, email } of visitors) {
      const { username, password, region, mfaCode } = credentials;
      const what = simulator.capabilities.auth === 'email' ? email : `${username}, password ${password}`;
      const signIn = mfaCode === null ? what : `${what}, code ${mfaCode}`;
      const where = region === null ? connector.name : `${connector.name} (region ${region})`;
      lines.set(signIn, [...(lines.get(signIn) ?? []), where]);
    }
  }
  return [...lines].map(([signIn, names]) => `  ${names.join(', ')}: ${signIn}`);
}

/** Prints what a new user can try. Called before any account is linked, so that it appears at once. */
export async function printNextSteps(
  { baseUrl, narrator, setKeyLine, simulation }: DemoContext,
  api: ApiClient,
  person: Person | undefined,
): Promise<void> {
  narrator.say('');
  narrator.say('Try these next; data arrives while you look:');
  for (const line of curlLines({ baseUrl, setKeyLine, userId: person?.userId ?? '', receiverUrl: simulation.receiver.url }))
    narrator.say(line);
  const linkUrl = await linkPageOf(api, person);
  if (linkUrl !== null) {
    narrator.say(`Link a provider in a browser (this address is valid for an hour): ${linkUrl}`);
    if (simulation.others.length > 0)
      narrator.say(
        `${simulation.others.length} more providers are simulated, and are linked in a moment. By hand, those without a consent page accept:`,
      );
    for (const line of signInLines(simulation.others)) narrator.say(line);
  }
  narrator.say(
    `In a browser: ${baseUrl}/ (sign in with the API key). API reference: ${baseUrl}/docs. Stop with Ctrl-C; the next start continues from here.`,
  );
  narrator.say('');
}

async function linkPageOf(api: ApiClient, person: Person | undefined): Promise<string | null> {
  if (person === undefined) return null;
  return (await api.call<{ link_web_url: string }>('POST', '/v2/link/token', { body: { user_id: person.userId } })).link_web_url;
}

/** Prints what is stored and what the receiver got. */
export async function printSummary(
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
