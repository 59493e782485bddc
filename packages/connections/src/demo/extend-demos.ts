import { and, eq, lt } from 'drizzle-orm';
import { dayMs, type Clock } from '@pulsewire/kernel';
import { run, type Database, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';
import { connections } from '../model/tables.ts';
import { toDateOrNull } from '../model/rows.ts';

/** A demo connection and the time range to generate data for. */
export interface DemoSpan {
  readonly connection: Connection;
  readonly clientUserId: string;
  readonly from: Date;
  readonly to: Date;
  /** The first range is the history that a provider would have. */
  readonly isHistory: boolean;
}

/**
 * Generates and stores the data of a time range; a port, because this package does not depend on the store. Runs in the transaction of
 * `extendDemos`.
 */
export type FillDemo = (tx: Tx, emit: Emit, span: DemoSpan) => Promise<void>;

export interface GrowContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly fill: FillDemo;
}

const historyMs = 30 * dayMs;
/** New data every two hours. */
const everyMs = 2 * 3_600_000;

type DemoRow = ConnectionRow & { readonly client_user_id: string; readonly demo_filled_to: string | null };

async function growOne(
  { clock, fill }: GrowContext,
  tx: Tx,
  emit: Emit,
  userId: string | null,
  chosen: (connectionId: string) => void,
): Promise<boolean> {
  const to = clock.now();
  // A caller that names a user wants the data to exist afterwards, so it waits for a concurrent run.
  const busy = userId === null ? tx.sql`SKIP LOCKED` : tx.sql``;
  const [row] = await tx.sql<DemoRow[]>`
    SELECT c.*, u.client_user_id FROM connections c JOIN users u USING (user_id)
    WHERE c.status = 'connected' AND u.deleted_at IS NULL
      AND (CASE WHEN ${userId}::uuid IS NULL THEN c.demo_due_at <= ${to.toISOString()} ELSE c.user_id = ${userId}::uuid AND c.demo_due_at IS NOT NULL
        AND (c.demo_filled_to IS NULL OR c.demo_filled_to < ${to.toISOString()}) END)
    ORDER BY c.demo_due_at LIMIT 1 FOR UPDATE OF c ${busy}`;
  if (!row) return false;
  chosen(row.connection_id);
  const filledTo = toDateOrNull(row.demo_filled_to);
  const from = filledTo ?? new Date(to.getTime() - historyMs);
  await fill(tx, emit, { connection: toConnection(row), clientUserId: row.client_user_id, from, to, isHistory: filledTo === null });
  const filled = { demoFilledTo: to, demoDueAt: new Date(to.getTime() + everyMs) };
  await run(tx.orm.update(connections).set(filled).where(eq(connections.connectionId, row.connection_id)));
  return true;
}

/** A connection that fails must not block the others. */
async function postpone({ database, clock }: GrowContext, connectionId: string): Promise<void> {
  const demoDueAt = new Date(clock.now().getTime() + everyMs);
  const isSooner = and(eq(connections.connectionId, connectionId), lt(connections.demoDueAt, demoDueAt));
  await run(database.orm.update(connections).set({ demoDueAt }).where(isSooner));
}

/**
 * Generates the data of demo connections that are due, or of all connections of one user: first thirty days of history, then new data
 * every two hours. One transaction per connection, at most `limit`; several processes may run it at once, and the data of the given user
 * exists when this resolves. Returns how many connections got data. One that fails is postponed; the first error is thrown at the end.
 */
export async function extendDemos(
  context: GrowContext,
  options: { readonly limit: number; readonly signal: AbortSignal; readonly userId?: string },
): Promise<number> {
  const { userId = null, limit, signal } = options;
  let extended = 0;
  const errors: unknown[] = [];
  while (extended + errors.length < limit && !signal.aborted) {
    let chosen: string | null = null;
    try {
      if (!(await withEvents(context.database, (tx, emit) => growOne(context, tx, emit, userId, (id) => (chosen = id))))) break;
      extended += 1;
    } catch (error) {
      if (chosen === null || userId !== null) throw error;
      errors.push(error);
      await postpone(context, chosen);
    }
  }
  if (errors.length > 0) throw errors[0];
  return extended;
}
