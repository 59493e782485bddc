import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { notFound } from '../model/errors.ts';
import { labUnmatchedResults } from '../model/order-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import { lockOrder } from '../orders/change-status.ts';
import { getOrder, type OrderView } from '../orders/read/read-orders.ts';
import { applyReport, pathOfReport } from './apply-report.ts';
import { emitReview, type UnmatchedRow } from './emit-review.ts';
import { openDetails } from './read-unmatched.ts';
import { readSealedReport } from './report.ts';

async function lockPending(tx: Tx, teamId: string, resultId: string): Promise<UnmatchedRow> {
  const mine = and(eq(labUnmatchedResults.teamId, teamId), eq(labUnmatchedResults.resultId, resultId));
  const [row] = await run(tx.orm.select().from(labUnmatchedResults).where(mine).for('update'));
  if (!row || !row.status.startsWith('pending_')) throw notFound('unmatched_result_not_found', 'There is no such result in review');
  return row;
}

async function settle(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  row: UnmatchedRow,
  values: Pick<UnmatchedRow, 'status' | 'resolutionAction'> & Partial<UnmatchedRow>,
  note: string | null,
): Promise<void> {
  const { cipher, clock } = context;
  const now = clock.now();
  const details = { ...openDetails(context, row), note };
  const [changed] = await run(
    tx.orm
      .update(labUnmatchedResults)
      .set({
        ...values,
        details: cipher.seal(JSON.stringify(details), labSealContext('lab_unmatched_results', row.resultId)),
        updatedAt: now,
        reviewedAt: now,
      })
      .where(eq(labUnmatchedResults.resultId, row.resultId))
      .returning(),
  );
  if (changed) emitReview(emit, changed, false);
}

function inconsistent(field: string, msg: string, input: string): AppError {
  const errors = [{ type: 'value_error', loc: ['body', field], msg, input }];
  return new AppError({ code: 'request_invalid', kind: 'invalid', message: msg, details: { errors } });
}

/**
 * Assigns a result in review to an order, as its results. Throws AppErrors `unmatched_result_not_found`, `order_not_found`, and
 * `request_invalid` (422) when user, lab or state of the order do not match.
 */
export async function acceptUnmatchedResult(
  context: LabsContext,
  team: LabTeam,
  resultId: string,
  accepted: { readonly userId: string; readonly orderId: string; readonly note: string | null },
): Promise<OrderView> {
  const { userId, orderId, note } = accepted;
  return withEvents(context.database, async (tx, emit) => {
    const row = await lockPending(tx, team.teamId, resultId);
    const order = await lockOrder(tx, team.teamId, orderId);
    if (order.userId !== userId) throw inconsistent('user_id', 'The order belongs to another user', userId);
    if (order.labId !== row.labId) throw inconsistent('order_id', 'The order is at another laboratory', orderId);
    const report = readSealedReport(openDetails(context, row).report);
    const path = pathOfReport(order, report);
    if (path === null) throw inconsistent('order_id', `The order cannot have results: it is ${order.status}`, orderId);
    await applyReport(tx, emit, context, team, order, report, path);
    const resolved = { status: 'resolved', resolutionAction: 'accept', resolvedUserId: userId, resolvedOrderId: orderId };
    // From now on the result is erased with this user only, no longer with the other candidates.
    await settle(tx, emit, context, row, { ...resolved, candidateUserIds: [userId] }, note);
    return getOrder(tx, context, team.teamId, orderId);
  });
}

/** Rejects a result in review, or hands it over to the operator. Throws AppError `unmatched_result_not_found`. */
export async function resolveUnmatchedResult(
  context: LabsContext,
  team: LabTeam,
  resultId: string,
  { action, note }: { readonly action: 'reject' | 'unsure'; readonly note: string | null },
): Promise<void> {
  await withEvents(context.database, async (tx, emit) => {
    const row = await lockPending(tx, team.teamId, resultId);
    const status = action === 'reject' ? 'resolved' : 'pending_ops_review';
    await settle(tx, emit, context, row, { status, resolutionAction: action }, note);
  });
}

/** Erases results in review that belong, or may belong, to a user. */
export async function eraseUnmatchedResults({ orm }: Tx, userId: string): Promise<void> {
  await run(orm.delete(labUnmatchedResults).where(sql`${labUnmatchedResults.candidateUserIds} @> ARRAY[${userId}]::uuid[]`));
}
