import { utcDay, addDays } from '@pulsewire/kernel';
import type { ApiClient } from '../client/api-client.ts';
import type { DemoContext } from '../client/demo-context.ts';
import { isLinked, linkAccount } from '../client/link-account.ts';
import { findOrCreatePerson, type Person } from '../client/people.ts';
import { demoHistoryDaysMax, type SimulatedProvider } from '../simulation/start-simulators.ts';
import { messageOf, type OtherSource } from './other-source.ts';
import { sendAsPhone } from './send-as-phone.ts';

const ways = { oauth: 'OAuth', password: 'password', email: 'e-mail' } as const;
const earlier = 'an earlier start';

/** First day of the history of these users: a short one, so that it does not delay what a new user looks at first. */
function historyStart({ clock, historyDays = demoHistoryDaysMax }: DemoContext): string {
  return addDays(utcDay(clock.now()), -Math.min(historyDays, demoHistoryDaysMax));
}

async function linkOne(context: DemoContext, api: ApiClient, provider: SimulatedProvider): Promise<OtherSource> {
  const { connector, simulator, account } = provider;
  const { slug, name } = connector;
  const { auth } = simulator.capabilities;
  const { timeZone } = account;
  const clientUserId = `demo-${slug}`;
  const source = {
    slug,
    name,
    clientUserId,
    note: connector.ownFormat,
    how: account.credentials.mfaCode === null ? ways[auth] : `${ways[auth]} and code`,
  };
  let person: Person | null = null;
  try {
    person = await findOrCreatePerson(api, { name, clientUserId, timeZone, ingestionStart: historyStart(context) });
    if (await isLinked(api, person, slug)) return { ...source, how: earlier, person, failure: null };
    await linkAccount(api, person, { slug, auth, account }, `${context.baseUrl}/docs`);
    return { ...source, person, failure: null };
  } catch (error) {
    return { ...source, person, failure: messageOf(error) };
  }
}

function linkedLine(sources: readonly OtherSource[]): string {
  const known = sources.filter(({ how }) => how === earlier).length;
  const failed = sources.filter(({ failure }) => failure !== null).length;
  const linked = `Linked ${sources.length - known - failed} of ${sources.length} other sources, each provider to a user of its own`;
  return [linked, known > 0 ? `${known} were linked already` : '', failed > 0 ? `${failed} FAILED` : ''].filter(Boolean).join('; ');
}

/** Links one person at every other simulated provider, one after the other, and a phone. A failure is reported and stops nothing. */
export async function linkOthers(context: DemoContext, api: ApiClient, signal: AbortSignal): Promise<readonly OtherSource[]> {
  const sources: OtherSource[] = [];
  for (const provider of context.simulation.others) {
    if (signal.aborted) return sources;
    sources.push(await linkOne(context, api, provider));
  }
  sources.push(...(await sendAsPhone(context, api)));
  context.narrator.say(`${linkedLine(sources)}.`);
  return sources;
}
