import { and, eq, inArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { detachBookings } from '../appointments/requests/end-bookings.ts';
import { labAppointments } from '../model/appointment-tables.ts';
import { labPartnerJobs } from '../model/job-tables.ts';
import {
  labOrderDetails,
  labOrderFiles,
  labOrders,
  labOrderTransactions,
  labRequests,
  labResults,
  labShipments,
  labUserInfo,
  labUserInsurance,
} from '../model/order-tables.ts';
import { eraseHeldNotices } from '../notices/held-notices.ts';
import { eraseUnmatchedResults } from '../matching/resolve-unmatched.ts';
import { labReports } from '../model/report-tables.ts';

/**
 * Erases the lab data of a user. For bookkeeping, an order keeps ids, team, lab, test, account, method, billing type, priority
 * and the statuses with their times, none of which identifies the person. Open bookings are cancelled at the partners afterwards.
 */
export async function eraseLabsOfUser(tx: Tx, owner: { readonly teamId: string; readonly userId: string }, now: Date): Promise<void> {
  const { orm } = tx;
  const { userId } = owner;
  await detachBookings(tx, owner, now);
  for (const table of [labUserInfo, labUserInsurance, labReports, labRequests, labAppointments] as const)
    await run(orm.delete(table).where(eq(table.userId, userId)));
  await eraseUnmatchedResults(tx, userId);
  await eraseHeldNotices(tx, userId);
  const mine = orm.select({ orderId: labOrders.orderId }).from(labOrders).where(eq(labOrders.userId, userId));
  await run(orm.delete(labResults).where(inArray(labResults.orderId, mine)));
  await run(orm.delete(labShipments).where(inArray(labShipments.orderId, mine)));
  await run(orm.delete(labOrderFiles).where(inArray(labOrderFiles.orderId, mine)));
  const pending = and(inArray(labPartnerJobs.orderId, mine), inArray(labPartnerJobs.kind, ['place_order', 'ship_kit']));
  await run(orm.delete(labPartnerJobs).where(pending));
  await run(orm.delete(labOrderDetails).where(inArray(labOrderDetails.orderId, mine)));
  await run(orm.update(labOrderTransactions).set({ userId: null }).where(eq(labOrderTransactions.userId, userId)));
  const nothing = { userId: null, sampleId: null, interpretation: null, hasMissingResults: null, collectedOn: null };
  await run(
    orm
      .update(labOrders)
      .set({ ...nothing, nameHashes: [], recipientHashes: [] })
      .where(eq(labOrders.userId, userId)),
  );
}
