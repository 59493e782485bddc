import { addDays } from '@pulsewire/kernel';
import { type Database } from '@pulsewire/database';
import { eventsOf } from '../conformance/stored.ts';
import type { HandoverHarness } from './harness.ts';

/** The days between the first and the last of these that are not among them. */
export function missingDays(days: readonly string[]): readonly string[] {
  const sorted = days.toSorted();
  const found: string[] = [];
  for (let day = sorted[0] ?? ''; day < (sorted.at(-1) ?? ''); day = addDays(day, 1)) if (!sorted.includes(day)) found.push(day);
  return found;
}

/** Users of a harness, and what their team reads of them. */
export function createPeople(harness: HandoverHarness, database: Database) {
  /** Days of a summary by provider, as the team reads them. */
  async function daysOf(userId: string, resource: 'activity' | 'sleep') {
    const body = await harness.call('GET', `/v2/summary/${resource}/${userId}?start_date=2026-03-01&end_date=2026-05-31`);
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

  /** The local days of every resource with a day, by resource and provider, as stored. */
  async function resourceDays(userId: string) {
    const rows = await database.sql<{ provider: string; resource: string; days: string[] }[]>`
      SELECT provider, resource, array_agg(DISTINCT day ORDER BY day) AS days FROM (
        SELECT provider, resource, calendar_date::text AS day FROM summaries WHERE user_id = ${userId} AND calendar_date IS NOT NULL
        UNION ALL
        SELECT provider, resource, (ts AT TIME ZONE 'Europe/Berlin')::date::text
        FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series) WHERE user_id = ${userId}
      ) AS stored GROUP BY provider, resource`;
    const of = (slug: string, resource: string) => rows.find((row) => row.provider === slug && row.resource === resource)?.days ?? [];
    const resources = [...new Set(rows.map(({ resource }) => resource))].toSorted();
    const shared = (resource: string) => of('google_health', resource).filter((day) => of('google_fit', resource).includes(day));
    return {
      fit: (resource: string) => of('google_fit', resource),
      health: (resource: string) => of('google_health', resource),
      /** The days from the first to the last of a resource that neither provider has. */
      missing: (resource: string) => missingDays([...of('google_fit', resource), ...of('google_health', resource)]),
      /** Days of a resource that both providers have. */
      doubles: resources.flatMap((resource) => shared(resource).map((day) => `${resource} ${day}`)),
    };
  }

  /** A user with both Google accounts of one person, google_fit connected and read. */
  async function startWithGoogleFit(name: string, healthName = name) {
    const accounts = { fit: harness.addPerson(harness.googleFit, name), health: harness.addPerson(harness.google, healthName) };
    const userId = await harness.newUser();
    await harness.link('google_fit', userId, name);
    await harness.drainAll();
    return { userId, accounts };
  }

  return { resourceDays, startWithGoogleFit, daysOf, providersOf, removedOf, handoversOf, startWithFitbit };
}
