import { inArray } from 'drizzle-orm';
import { AppError, type Clock } from '@pulsewire/kernel';
import { run, textArray, type Database, type Executor, type Tx } from '@pulsewire/database';
import { deleteSimulated } from '../connection-status/remove.ts';
import type { Connection } from '../model/connection.ts';
import { deregistrations, simulatedProviders } from '../model/tables.ts';

/** Connections of one provider. */
export interface ProviderCount {
  readonly provider: string;
  readonly connections: number;
}

// Demo connections (demo_due_at) have no tokens and make no calls, so they may exist beside either kind.
async function countConnections({ sql }: Executor, providers: readonly string[]): Promise<readonly ProviderCount[]> {
  return sql<ProviderCount[]>`
    SELECT provider, count(*)::int AS connections FROM connections
    WHERE provider = ANY(${textArray(providers)}::text[]) AND demo_due_at IS NULL GROUP BY provider ORDER BY provider`;
}

function listCounts(counts: readonly ProviderCount[]): string {
  return counts.map(({ provider, connections }) => `${provider} (${connections})`).join(', ');
}

/** Providers whose connections in this database belong to a simulator. */
export async function listSimulatedProviders({ orm }: Executor): Promise<readonly string[]> {
  const { provider } = simulatedProviders;
  const rows = await run(orm.select({ provider }).from(simulatedProviders).orderBy(provider));
  return rows.map((row) => row.provider);
}

/**
 * Marks a provider as simulated when all of its connections were made to a simulator before such providers were recorded: each belongs to
 * an account in `accountIds`, to which that simulator has issued tokens. Returns false when there are none, or also others.
 */
export async function adoptSimulated({ sql }: Executor, provider: string, accountIds: readonly string[]): Promise<boolean> {
  const { count } = await sql`
    INSERT INTO simulated_providers (provider)
    SELECT provider FROM connections WHERE provider = ${provider} AND demo_due_at IS NULL
    GROUP BY provider HAVING bool_and(coalesce(provider_user_id = ANY(${textArray(accountIds)}::text[]), false))
    ON CONFLICT DO NOTHING`;
  return count > 0;
}

/**
 * Marks providers as simulated before their simulators are started. Throws AppError `demo_beside_real_connections` when one of them has
 * connections that were made without the demo: the simulator would receive their tokens and refuse them, which ends the connection.
 */
export async function markForSimulators(database: Database, providers: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.sql`LOCK TABLE simulated_providers IN EXCLUSIVE MODE`;
    const known = new Set(await listSimulatedProviders(tx));
    const real = await countConnections(
      tx,
      providers.filter((provider) => !known.has(provider)),
    );
    if (real.length > 0) {
      throw new AppError({
        code: 'demo_beside_real_connections',
        kind: 'conflict',
        message: `The demo cannot run here: this database holds connections that the demo did not create: ${listCounts(real)}. Its simulators would receive their tokens. Set DEMO=off, or use another DATA_DIR or DATABASE_URL`,
      });
    }
    await tx.sql`
      INSERT INTO simulated_providers (provider) SELECT unnest(${textArray(providers)}::text[]) ON CONFLICT DO NOTHING`;
  });
}

/**
 * Makes sure that no connection of a simulator is used with the real provider. `simulated`: providers whose simulators run now. Throws
 * AppError `demo_connections_present`; unmarks providers without connections.
 */
export async function assertSimulatorsRun(database: Database, simulated: readonly string[]): Promise<void> {
  const left = (await listSimulatedProviders(database)).filter((provider) => !simulated.includes(provider));
  if (left.length === 0) return;
  const counts = await countConnections(database, left);
  if (counts.length > 0) {
    throw new AppError({
      code: 'demo_connections_present',
      kind: 'conflict',
      message: `This database holds connections to the demo's simulators: ${listCounts(counts)}. They cannot be used with the real providers. Start with DEMO=on, use another DATA_DIR or DATABASE_URL, or delete them with \`npm run admin -- demo remove\``,
    });
  }
  await run(database.orm.delete(simulatedProviders).where(inArray(simulatedProviders.provider, left)));
}

export interface RemoveSimulatedOptions {
  readonly clock: Clock;
  /** Called in the same transaction, to delete the plan of pulls. */
  readonly onDeregistered: (tx: Tx, connection: Connection) => Promise<void>;
}

const batchMax = 500;

async function removeBatch(tx: Tx, options: RemoveSimulatedOptions): Promise<number> {
  const removed = await deleteSimulated(tx, batchMax);
  for (const connection of removed) await options.onDeregistered(tx, connection);
  return removed.length;
}

/**
 * Deletes every connection to a simulator with its tokens and plans. Nothing is revoked, because there is no provider. Stored data is kept.
 * Returns the number of connections.
 */
export async function removeSimulatedConnections(database: Database, options: RemoveSimulatedOptions): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await database.transaction((tx) => removeBatch(tx, options));
    removed += count;
    if (count < batchMax) break;
  }
  await database.transaction(async ({ orm }) => {
    const simulated = orm.select({ provider: simulatedProviders.provider }).from(simulatedProviders);
    await run(orm.delete(deregistrations).where(inArray(deregistrations.provider, simulated)));
    await run(orm.delete(simulatedProviders));
  });
  return removed;
}
