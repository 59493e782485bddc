import { and, eq, isNotNull } from 'drizzle-orm';
import { AppError, errorCode, isAppError, isUuid } from '@pulsewire/kernel';
import { isDataError, run } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { receiveNotice } from '../appointments/requests/receive-notice.ts';
import type { LabsContext } from '../context/context.ts';
import type { JobRunner } from '../jobs/job.ts';
import { labs as allLabs } from '../model/catalogue-tables.ts';
import { labOrders } from '../model/order-tables.ts';
import type { PartnerPush, ShipmentState } from '../partners/partner.ts';
import { applyLabNotice } from './apply-lab-notice.ts';
import { applyShipment } from '../fulfilment/apply-shipment.ts';

const real = { isSandbox: false };
const notTaken = () => new AppError({ code: 'push_unsupported', kind: 'not_found', message: 'This partner sends no notifications' });

async function followShipment(context: LabsContext, slug: string, parcel: ShipmentState): Promise<string> {
  const { database, owners } = context;
  if (!isUuid(parcel.orderId)) return 'unknown_order';
  // A lab sends its kits itself or has them sent, so a company reports only about kits of its lab.
  const [order] = await run(
    database.orm
      .select({ teamId: labOrders.teamId })
      .from(labOrders)
      .innerJoin(allLabs, eq(allLabs.labId, labOrders.labId))
      .where(
        and(eq(labOrders.orderId, parcel.orderId), eq(allLabs.slug, slug), eq(labOrders.method, 'testkit'), isNotNull(labOrders.userId)),
      ),
  );
  const team = order ? await owners.findTeam(database, order.teamId) : null;
  if (team === null || team.isSandbox) return 'unknown_order';
  return withEvents(database, (tx, emit) => applyShipment(tx, emit, context, team, slug, parcel));
}

/**
 * Failures of one notice that a repeated webhook would meet again: they must not block the others. What concerns a deleted user is to be
 * repeated until the user is erased or the deletion is undone.
 */
const isFinal = (error: unknown) =>
  isDataError(error) || (isAppError(error) && ['invalid', 'not_found', 'conflict'].includes(error.kind) && error.code !== 'user_deleted');

/** Applies each item; throws the first temporary failure at the end, so that the sender repeats the webhook. */
async function applyAll<T>(runner: JobRunner, partner: string, items: readonly T[], apply: (item: T) => Promise<string>): Promise<void> {
  const { logger, metrics } = runner;
  const failures: unknown[] = [];
  for (const item of items) {
    let outcome: string;
    try {
      outcome = await apply(item);
    } catch (error) {
      outcome = isFinal(error) ? 'refused' : 'failed';
      logger.warn({ partner, errorCode: errorCode(error), outcome }, 'lab_notice.failed');
      if (outcome === 'failed') failures.push(error);
    }
    metrics.count('lab_notices_total', { partner, outcome });
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Receives a webhook: of a scheduling partner by its slug, of a lab as `lab-<slug>`, of a shipping company as `kits-<slug>`. Throws
 * AppErrors `push_unsupported` for a partner that this installation has no access to, and `push_refused`.
 */
export async function receivePartnerPush(runner: JobRunner, name: string, push: PartnerPush): Promise<void> {
  const { labs } = runner;
  const [, kind, slug = ''] = /^(lab|kits)-(.+)$/.exec(name) ?? [];
  if (kind === undefined) return receiveNotice(labs, name, push);
  if (kind === 'lab') {
    const partner = labs.partners.find('lab', slug, real);
    if (!partner) throw notTaken();
    return applyAll(runner, name, await partner.readPush(push), (notice) => applyLabNotice(labs, slug, notice));
  }
  const partner = labs.partners.find('kits', slug, real);
  if (!partner) throw notTaken();
  return applyAll(runner, name, await partner.readPush(push), (parcel) => followShipment(labs, slug, parcel));
}
