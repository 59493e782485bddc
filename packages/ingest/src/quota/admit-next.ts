import { and, count as countRows, eq, gt } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import type { Connector, PullLane } from '@pulsewire/providers';
import { pullPlans } from '../model/tables.ts';
import { giveTurns } from '../connection-schedule/quota-queue.ts';
import { countOf, type BudgetKey, type BudgetState } from './budget-state.ts';
import { changeBudget, turnMaxMs } from './budget-row.ts';
import { limitOf } from './quota-window.ts';
import { capacityFor } from './grant-calls.ts';

export interface AdmissionPorts {
  readonly database: Database;
  readonly clock: Clock;
  connectorFor(slug: string): Pick<Connector, 'slug' | 'quotas'> | undefined;
  readonly liveShare: number;
  /** Wakes the next connection in the rotation. A lost wake-up is recovered by the next check for overdue work. */
  admit(connectionId: string, lane: PullLane): Promise<void>;
}

const turnsAtOnceMax = 100;
/** Quota that becomes free within this time is granted in advance, so that a connection is ready to use it. */
const aheadMs = 1000;

/** How many turns a budget allows, including those in progress. */
function turnsFor(state: BudgetState, { rules }: BudgetKey, available: number, lane: PullLane, outstanding: number, atMs: number): number {
  if (available < 1) return 0;
  const limits = rules.map((rule) => ({ limit: limitOf(rule, countOf(state, rule, atMs)), perMs: rule.perMs }));
  const { calls, turns } = state.cost[lane];
  const least = Math.min(...limits.map(({ limit }) => limit));
  const cost = Math.min(Math.max(1, turns > 0 ? calls / turns : 1), Math.max(1, least / 2));
  const ahead = Math.min(...limits.map(({ limit, perMs }) => (limit * aheadMs) / perMs));
  // Turns in progress are assumed to have made half of their calls.
  return Math.min(turnsAtOnceMax, Math.floor((available + ahead) / cost - outstanding / 2));
}

/** Assigns turns of one budget: oldest data first, and backfills only while no live pull waits. Paused connections get none. */
async function admitNextOf(ports: AdmissionPorts, key: BudgetKey): Promise<number> {
  const { database, clock, liveShare } = ports;
  const given = await changeBudget(database, clock, key, async ({ state, atMs, isLiveWaiting }, tx) => {
    const lane: PullLane = isLiveWaiting ? 'live' : 'backfill';
    const since = new Date(atMs - turnMaxMs).toISOString();
    const { provider, waitsOwner, turnLane, turnAt } = pullPlans;
    const hasTurn = and(eq(provider, key.provider), eq(waitsOwner, key.owner), eq(turnLane, lane), gt(turnAt, since));
    const [row] = await run(tx.orm.select({ count: countRows() }).from(pullPlans).where(hasTurn));
    const available = capacityFor(state, key.rules, atMs, { lane, isLiveWaiting, liveShare, isPaced: true });
    // A provider without limits admits every connection.
    const count = key.rules.length === 0 ? turnsAtOnceMax : turnsFor(state, key, available, lane, row?.count ?? 0, atMs);
    return { state, result: { lane, ids: await giveTurns(tx, key, lane, count, atMs) } };
  });
  if (!given) return 0;
  const errors: unknown[] = [];
  for (const connectionId of given.ids) await ports.admit(connectionId, given.lane).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
  return given.ids.length;
}

/**
 * Assigns turns in every budget that connections wait for; returns how many. Throws when some failed, after the others. Call it about once
 * a second, in any process.
 */
export async function admitNext(ports: AdmissionPorts): Promise<number> {
  const rows = await ports.database.sql<{ provider: string; owner: string }[]>`
    SELECT provider, owner FROM provider_budgets b WHERE connection_id IS NULL AND EXISTS (
      SELECT 1 FROM pull_plans p WHERE p.provider = b.provider AND p.waits_owner = b.owner AND p.waits_for IS NOT NULL AND p.stopped_at IS NULL)`;
  let count = 0;
  const errors: unknown[] = [];
  for (const { provider, owner } of rows) {
    const connector = ports.connectorFor(provider);
    if (!connector) continue;
    const rules = connector.quotas.filter((rule) => rule.scope === 'app');
    const given = admitNextOf(ports, { provider, owner, connectionId: null, rules });
    count += await given.catch((error: unknown) => {
      errors.push(error);
      return 0;
    });
  }
  if (errors.length > 0) throw errors[0];
  return count;
}
