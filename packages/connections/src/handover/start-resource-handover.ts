import { and, eq, isNull, sql as fragment } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Database, type Tx } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import { fromStored, type Connection } from '../model/connection.ts';
import { connections, resourceHandovers, users } from '../model/tables.ts';

export interface StartContext {
  readonly clock: Clock;
  readonly connectors: readonly Pick<Connector, 'slug' | 'resources' | 'succeedsPerResource'>[];
}

interface Sides {
  readonly ending: Connection;
  readonly successor: Connection;
}

async function findConnection({ orm }: Tx, { teamId, userId }: Connection, slug: string): Promise<Connection | undefined> {
  const { demoDueAt, provider } = connections;
  const where = and(eq(connections.userId, userId), eq(connections.teamId, teamId), eq(provider, slug), isNull(demoDueAt));
  const [row] = await run(orm.select().from(connections).where(where));
  return row && fromStored(row);
}

/** The connection with the other one of the same person, whichever of the two was linked first. */
async function findSides(tx: Tx, { connectors }: StartContext, connection: Connection): Promise<Sides | undefined> {
  for (const { slug, succeedsPerResource: rule } of connectors) {
    if (!rule) continue;
    const isSuccessor = slug === connection.provider;
    if (!isSuccessor && rule.provider !== connection.provider) continue;
    const other = await findConnection(tx, connection, isSuccessor ? rule.provider : slug);
    if (!other) continue;
    const [ending, successor] = isSuccessor ? [other, connection] : [connection, other];
    const account = rule.accountOf(successor.account);
    if (account !== null && account === ending.providerUserId) return { ending, successor };
  }
  return undefined;
}

async function readDays({ orm }: Tx, { ending, successor }: Sides): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { fromProvider, fromAccount, toAccount, days } = resourceHandovers;
  const where = and(
    eq(resourceHandovers.userId, ending.userId),
    eq(resourceHandovers.teamId, ending.teamId),
    eq(fromProvider, ending.provider),
    eq(fromAccount, ending.providerUserId ?? ''),
    eq(toAccount, successor.providerUserId ?? ''),
  );
  const [row] = await run(orm.select({ days }).from(resourceHandovers).where(where));
  return row?.days;
}

/**
 * Records that a connection and another of the user belong to the same person, if they do: from then on each day of a resource that both
 * providers have is read from one of them. Which one is decided as data arrives. Calling it again changes nothing, except for resources that a
 * connector has learned since.
 */
export async function startResourceHandover(tx: Tx, context: StartContext, connection: Connection): Promise<void> {
  const sides = await findSides(tx, context, connection);
  if (!sides) return;
  const { ending, successor } = sides;
  const [fromAccount, toAccount] = [ending.providerUserId, successor.providerUserId];
  if (fromAccount === null || toAccount === null) return;
  const resourcesOf = (provider: string) => Object.keys(context.connectors.find(({ slug }) => slug === provider)?.resources ?? {});
  const own = new Set(resourcesOf(successor.provider));
  const shared = resourcesOf(ending.provider).filter((resource) => own.has(resource));
  const known = await readDays(tx, sides);
  // Nothing is locked when nothing changes: a page that is being stored would wait for this transaction, and hold what it needs.
  if (known && shared.every((resource) => resource in known)) return;
  const days = Object.fromEntries(shared.map((resource) => [resource, null]));
  const accounts = { fromProvider: ending.provider, fromAccount, toProvider: successor.provider, toAccount };
  const { teamId, userId } = ending;
  const target = [resourceHandovers.userId, resourceHandovers.fromProvider, resourceHandovers.fromAccount];
  const set = { toAccount, days: fragment`excluded.days || ${resourceHandovers.days}` };
  await run(
    tx.orm
      .insert(resourceHandovers)
      .values({ teamId, userId, ...accounts, days, createdAt: context.clock.now() })
      .onConflictDoUpdate({ target, set }),
  );
}

/** `startResourceHandover` in a transaction of its own, for a connection whose facts were read again: the first time they may have been incomplete. */
export function startResourceHandoverOf(context: StartContext & { readonly database: Database }, connection: Connection): Promise<void> {
  return context.database.transaction(async (tx) => {
    // As in a link, the user's row first: the foreign key needs it, and a link that is under way becomes visible.
    const isUser = and(eq(users.userId, connection.userId), eq(users.teamId, connection.teamId));
    await run(tx.orm.select({ userId: users.userId }).from(users).where(isUser).for('key share'));
    await startResourceHandover(tx, context, connection);
  });
}
