import { expect } from 'vitest';
import type { Database } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import type { ProviderSimulator } from '@pulsewire/sandbox';
import { rules } from '../rules.ts';
import { eventsOf } from '../stored.ts';

/** Checks the effects of genuine, forged and repeated pushes, and of a push about a user who is not linked. */
export async function expectPushRules(
  database: Database,
  pushes: NonNullable<ProviderSimulator['pushes']>,
  { slug, push }: { readonly slug: string; readonly push: NonNullable<Connector['push']> },
  userId: string,
  settle: () => Promise<void>,
): Promise<void> {
  const { acceptedStatus, rejectedStatus } = push;
  const inbox = async () =>
    Number((await database.sql<{ count: string }[]>`SELECT count(*) FROM push_inbox WHERE provider = ${slug}`)[0]?.count);
  const kept = await inbox();
  expect(await pushes.forge(), rules.pushForged).toBe(rejectedStatus);
  expect(await inbox(), rules.pushForged).toBe(kept);
  const events = (await eventsOf(database, userId, 'daily.%')).length;
  expect([acceptedStatus, rejectedStatus], rules.pushRepeated).toContain(await pushes.replay());
  await settle();
  expect((await eventsOf(database, userId, 'daily.%')).length, rules.pushRepeated).toBe(events);
  expect(await pushes.sendForUnknownUser(), rules.pushStranger).toBe(acceptedStatus);
  await settle();
  const open = await database.sql`SELECT 1 FROM push_inbox WHERE provider = ${slug} AND state <> 'done'`;
  expect(open, rules.pushStranger).toHaveLength(0);
  const strangers = await database.sql`SELECT 1 FROM push_inbox WHERE provider = ${slug} AND unknown_users > 0`;
  expect(strangers.length, rules.pushStranger).toBeGreaterThan(0);
}
