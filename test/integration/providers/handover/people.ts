import type { Database } from '@pulsewire/database';
import { eventsOf } from '../conformance/stored.ts';
import type { HandoverHarness } from './harness.ts';

/** Users of a harness, and what their team reads of them. */
export function createPeople(harness: HandoverHarness, database: Database) {
  /** Days of a summary by provider, as the team reads them. */
  async function daysOf(userId: string, resource: 'activity' | 'sleep') {
    const body = await harness.call('GET', `/v2/summary/${resource}/${userId}?start_date=2026-03-01&end_date=2026-03-31`);
    const rows = body[resource] as { calendar_date: string; source: { provider: string } }[];
    const byProvider = Map.groupBy(rows, ({ source }) => source.provider);
    const days = (slug: string) => [...new Set((byProvider.get(slug) ?? []).map((row) => row.calendar_date))].toSorted();
    return { fitbit: days('fitbit'), google: days('google_health') };
  }

  async function providersOf(userId: string): Promise<readonly string[]> {
    const { providers } = await harness.call('GET', `/v2/user/providers/${userId}`);
    return (providers as { slug: string; status: string }[]).map(({ slug, status }) => `${slug} ${status}`).toSorted();
  }

  const removedOf = (userId: string) => eventsOf(database, userId, 'provider.connection.removed');

  async function handoversOf(userId: string) {
    return database.sql`SELECT from_provider, to_provider, on_day::text FROM connection_handovers WHERE user_id = ${userId}`;
  }

  /** A user with both accounts of one person, the Fitbit one connected and read. */
  async function startWithFitbit(name: string, googleName = name) {
    const accounts = { fitbit: harness.addPerson(harness.fitbit, name), google: harness.addPerson(harness.google, googleName) };
    const userId = await harness.newUser();
    await harness.link('fitbit', userId, name);
    await harness.drainAll();
    return { userId, accounts };
  }

  return { daysOf, providersOf, removedOf, handoversOf, startWithFitbit };
}
