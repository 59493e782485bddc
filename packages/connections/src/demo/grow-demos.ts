import type { Clock } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { toConnection, type Connection, type ConnectionRow } from '../model/connection.ts';
import { toDateOrNull } from '../model/rows.ts';

/** A demo connection and the time for which data are wanted. */
export interface DemoSpan {
  readonly connection: Connection;
  readonly clientUserId: string;
  readonly from: Date;
  readonly to: Date;
  /** The first span is the history that a provider would have had. */
  readonly isHistory: boolean;
}

/** Makes the data of a span and stores them; the port that this package leaves to whoever knows the store. Runs in the transaction of `growDemos`. */
export type FillDemo = (tx: Tx, emit: Emit, span: DemoSpan) => Promise<void>;

export interface GrowContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly fill: FillDemo;
}

const dayMs = 86_400_000;
const historyMs = 30 * dayMs;
/** New data every couple of hours. */
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
  // Who asks for one user wants to see the data after it: they wait for whoever is making them.
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
  await tx.sql`
    UPDATE connections SET demo_filled_to = ${to.toISOString()}, demo_due_at = ${new Date(to.getTime() + everyMs).toISOString()}
    WHERE connection_id = ${row.connection_id}`;
  return true;
}

/** One that cannot be grown must not stand before the others. */
async function postpone({ database, clock }: GrowContext, connectionId: string): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + everyMs).toISOString();
  await database.sql`UPDATE connections SET demo_due_at = ${dueAt} WHERE connection_id = ${connectionId} AND demo_due_at < ${dueAt}`;
}

/**
 * Makes the data of demo connections that are due, or of all that one user has: thirty days of history first, then what is new every
 * couple of hours. Each in one transaction, `limit` at most; several processes may do it at once, and the data of one user are there
 * when this resolves. Gives how many were grown. One that fails waits for the next time; what was thrown for it is thrown after the others.
 */
export async function growDemos(
  context: GrowContext,
  options: { readonly limit: number; readonly signal: AbortSignal; readonly userId?: string },
): Promise<number> {
  const { userId = null, limit, signal } = options;
  let grown = 0;
  const errors: unknown[] = [];
  while (grown + errors.length < limit && !signal.aborted) {
    let chosen: string | null = null;
    try {
      if (!(await withEvents(context.database, (tx, emit) => growOne(context, tx, emit, userId, (id) => (chosen = id))))) break;
      grown += 1;
    } catch (error) {
      if (chosen === null || userId !== null) throw error;
      errors.push(error);
      await postpone(context, chosen);
    }
  }
  if (errors.length > 0) throw errors[0];
  return grown;
}
