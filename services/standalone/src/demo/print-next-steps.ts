import type { ApiClient } from './client/api-client.ts';
import { curlLines } from './curl-lines.ts';
import type { DemoContext } from './client/demo-context.ts';
import type { Person } from './client/people.ts';
import { signInLines } from './sign-in-lines.ts';

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
  narrator.say(`API reference: ${baseUrl}/docs. Stop with Ctrl-C; the next start continues from here.`);
  narrator.say('');
}

async function linkPageOf(api: ApiClient, person: Person | undefined): Promise<string | null> {
  if (person === undefined) return null;
  return (await api.call<{ link_web_url: string }>('POST', '/v2/link/token', { body: { user_id: person.userId } })).link_web_url;
}
