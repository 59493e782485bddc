import { eq, sql } from 'drizzle-orm';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import { findZipArea } from '../areas/zip-area.ts';
import { withResults } from '../catalogue/markers.ts';
import type { LabsContext } from '../context/context.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrders, labResults } from '../model/order-tables.ts';
import { getOrder, type OrderRow } from '../orders/read/read-orders.ts';
import { buildResults } from './build-results.ts';
import type { LabReport } from './lab-report.ts';
import { isKnown, mergeResults } from './merge-results.ts';
import { renderCriticalResult } from './render-results.ts';
import { openResults, sealResults, type OrderResults } from '../model/results.ts';

async function timeZoneOf(tx: Tx, zip: unknown): Promise<string | null> {
  if (typeof zip !== 'string') return null;
  return (await findZipArea(tx, zip))?.ianaTimezone ?? null;
}

/** The stored results of an order with their row, null without any, and those of one more report alone. */
async function readReport(
  tx: Tx,
  context: LabsContext,
  { teamId, orderId }: { readonly teamId: string; readonly orderId: string },
  report: LabReport,
) {
  const view = await getOrder(tx, context, teamId, orderId);
  const markers = await withResults(tx, view.test.markers);
  // getOrder has checked the team, which results do not name.
  const [row] = await run(tx.orm.select().from(labResults).where(eq(labResults.orderId, orderId)));
  const former = row ? { row, results: openResults(context.cipher, orderId, row.details) } : null;
  const reported = buildResults(view, markers, await timeZoneOf(tx, view.secrets.address?.['zip']), report);
  return { former, reported };
}

/** Whether the results of the order already say what this report says, or something newer. */
export async function isReported(
  tx: Tx,
  context: LabsContext,
  order: { readonly teamId: string; readonly orderId: string },
  report: LabReport,
): Promise<boolean> {
  const { former, reported } = await readReport(tx, context, order, report);
  return former !== null && isKnown(former.results, reported);
}

/**
 * Merges the lab's report into the results of a locked order, analyte by analyte, and emits `labtest.result.critical` if they are critical.
 * The order's row gets their interpretation. Runs in the transaction of the accompanying status change.
 */
export async function storeResults(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  order: OrderRow & { readonly userId: string },
  report: LabReport,
): Promise<OrderResults> {
  const { orderId, teamId, userId } = order;
  const { cipher, clock, owners } = context;
  const { former, reported } = await readReport(tx, context, order, report);
  const results = former === null ? reported : mergeResults(former.results, reported);
  const { status, interpretation } = results;
  const now = clock.now();
  const values = { status, interpretation, details: sealResults(cipher, orderId, results), updatedAt: now };
  await run(
    tx.orm
      .insert(labResults)
      .values({ ...values, orderId, version: 1, createdAt: now })
      .onConflictDoUpdate({ target: labResults.orderId, set: { ...values, version: sql`${labResults.version} + 1` } }),
  );
  const hasMissingResults = results.missing.length > 0;
  await run(tx.orm.update(labOrders).set({ interpretation, hasMissingResults }).where(isOrder(order)));
  if (interpretation === 'critical') {
    const { clientUserId } = await owners.findUser(tx, teamId, userId);
    const data = renderCriticalResult({ orderId, teamId, userId }, results, { createdAt: former?.row.createdAt ?? now, updatedAt: now });
    emit(jsonEvent({ eventType: 'labtest.result.critical', teamId, userId, clientUserId, data }));
  }
  return results;
}
