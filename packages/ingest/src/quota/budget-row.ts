import { and, eq } from 'drizzle-orm';
import { systemClock, type Clock } from '@pulsewire/kernel';
import { run, type Database, type Tx } from '@pulsewire/database';
import { providerBudgets } from '../model/tables.ts';
import { emptyBudget, type BudgetKey, type BudgetState } from './budget-state.ts';

/** The current state that a change of a budget starts from. */
export interface BudgetFacts {
  readonly state: BudgetState;
  /** One time for all processes, ms since 1970. */
  readonly atMs: number;
  /** A connection waits with live data, or has a turn and has not finished. */
  readonly isLiveWaiting: boolean;
}

/** A turn that has not ended after this long no longer counts. */
export const turnMaxMs = 60_000;

interface Row {
  readonly state: string;
  readonly at_ms: number;
  readonly is_live_waiting: boolean;
}

/** The time that processes share: that of the database, unless the clock is a test clock. */
export function sharedTime(clock: Clock): string | null {
  return clock === systemClock ? null : clock.now().toISOString();
}

async function lockRow({ sql }: Tx, clock: Clock, { provider, owner }: BudgetKey): Promise<Row | undefined> {
  // The time is taken after the lock: a wait for it must not put calls into the past.
  const rows = await sql<Row[]>`
    WITH held AS MATERIALIZED (
      SELECT state::text FROM provider_budgets WHERE provider = ${provider} AND owner = ${owner} FOR UPDATE
    ), known AS MATERIALIZED (SELECT state, coalesce(${sharedTime(clock)}::timestamptz, clock_timestamp()) AS at FROM held)
    SELECT state, (extract(epoch FROM at) * 1000)::float8 AS at_ms,
      EXISTS (SELECT 1 FROM pull_plans WHERE provider = ${provider} AND waits_owner = ${owner} AND waits_for = 'live' AND stopped_at IS NULL
        AND (resume_at IS NULL OR resume_at <= at))
      OR EXISTS (
        SELECT 1 FROM pull_plans WHERE provider = ${provider} AND waits_owner = ${owner} AND turn_lane = 'live' AND turn_at > at - ${turnMaxMs} * interval '1 millisecond'
      ) AS is_live_waiting
    FROM known`;
  return rows[0];
}

async function insertRow({ sql, orm }: Tx, { provider, owner, connectionId }: BudgetKey): Promise<void> {
  if (connectionId === null)
    return void (await run(orm.insert(providerBudgets).values({ provider, owner, state: emptyBudget }).onConflictDoNothing()));
  const state = JSON.stringify(emptyBudget);
  // A connection that is being removed gets no new budget.
  await sql`
      INSERT INTO provider_budgets (provider, owner, connection_id, state)
      SELECT ${provider}, ${owner}, connection_id, ${state}::jsonb FROM pull_plans WHERE connection_id = ${connectionId} FOR KEY SHARE
      ON CONFLICT DO NOTHING`;
}

/**
 * Changes a budget while no other process can. `change` returns the new state and a result for the caller; null when the connection is
 * gone.
 */
export async function changeBudget<T>(
  database: Database,
  clock: Clock,
  key: BudgetKey,
  change: (
    facts: BudgetFacts,
    tx: Tx,
  ) => Promise<{ readonly state: BudgetState; readonly result: T }> | { readonly state: BudgetState; readonly result: T },
): Promise<T | null> {
  return database.transaction(async (tx) => {
    const { provider, owner } = key;
    let row = await lockRow(tx, clock, key);
    if (!row) {
      await insertRow(tx, key);
      row = await lockRow(tx, clock, key);
    }
    if (!row) return null;
    const facts = { state: JSON.parse(row.state) as BudgetState, atMs: row.at_ms, isLiveWaiting: row.is_live_waiting };
    const { state, result } = await change(facts, tx);
    const isBudget = and(eq(providerBudgets.provider, provider), eq(providerBudgets.owner, owner));
    await run(tx.orm.update(providerBudgets).set({ state }).where(isBudget));
    return result;
  });
}
