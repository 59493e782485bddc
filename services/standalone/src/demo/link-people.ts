import { utcDay, addDays } from '@pulsewire/kernel';
import type { ApiClient } from './client/api-client.ts';
import type { DemoContext } from './client/demo-context.ts';
import { isLinked, linkAccount } from './client/link-account.ts';
import { findOrCreatePerson, type Person } from './client/people.ts';
import { scriptedSlug } from './simulation/simulated-slugs.ts';

type DemoAccount = DemoContext['simulation']['scripted']['simulator']['accounts'][number];

/** Few enough to arrive within a minute or two. */
const historyDaysDefault = 14;

/** The user of an account, created if necessary, with the demo's days of history. */
export function personOf({ clock, historyDays = historyDaysDefault }: DemoContext, api: ApiClient, account: DemoAccount): Promise<Person> {
  const ingestionStart = addDays(utcDay(clock.now()), -historyDays);
  const { name, timeZone } = account;
  return findOrCreatePerson(api, { name, clientUserId: `demo-${name.toLowerCase()}`, timeZone, ingestionStart });
}

/** Links the accounts that are not linked yet, and returns all of their users. */
export async function linkPeople(context: DemoContext, api: ApiClient, signal: AbortSignal): Promise<readonly Person[]> {
  const { simulation, narrator, baseUrl } = context;
  const people: Person[] = [];
  let linked = 0;
  for (const account of simulation.scripted.simulator.accounts) {
    if (signal.aborted) break;
    const person = await personOf(context, api, account);
    people.push(person);
    if (await isLinked(api, person, scriptedSlug)) continue;
    await linkAccount(api, person, { slug: scriptedSlug, auth: 'oauth', account }, `${baseUrl}/docs`);
    linked += 1;
  }
  const names = people.map((person) => person.name).join(', ');
  narrator.say(
    linked > 0
      ? `Linked ${linked} of ${people.length} users to ${simulation.scripted.connector.name} by authorization code with PKCE: ${names}.`
      : `Continuing with ${people.length} users who are linked already: ${names}.`,
  );
  return people;
}
