import { and, eq, isNotNull } from 'drizzle-orm';
import { isUuid } from '@pulsewire/kernel';
import { run } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { isNamed, isPatient } from '../matching/find-candidates.ts';
import { labOrders } from '../model/order-tables.ts';
import { readOrders, type OrderRow, type OrderView } from '../orders/read/read-orders.ts';
import type { LabNotice } from '../partners/partner.ts';

export type HoldReason = 'patient_absent' | 'patient_incomplete' | 'patient_mismatch' | 'several_orders';

/** The order that a notice concerns; `held` when nothing shows whose it is, as it may concern several orders or another patient. */
export type FoundOrder =
  | { readonly kind: 'found'; readonly order: OrderRow; readonly team: LabTeam }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'held'; readonly reason: HoldReason; readonly userIds: readonly string[] };

const candidatesMax = 100;
const unknown: FoundOrder = { kind: 'unknown' };

type ReadableNotice = Exclude<LabNotice, { readonly kind: 'unreadable' }>;
type TeamsOrder = { readonly order: OrderRow; readonly team: LabTeam };

/** Orders at the lab, without those of sandbox teams: labs do not know them. */
async function findOrders({ database, owners }: LabsContext, labId: number, notice: ReadableNotice): Promise<readonly TeamsOrder[]> {
  const { orderId, sampleId } = notice;
  if (orderId === null ? sampleId === null : !isUuid(orderId)) return [];
  const named = orderId === null ? eq(labOrders.sampleId, sampleId as string) : eq(labOrders.orderId, orderId);
  const mine = and(eq(labOrders.labId, labId), isNotNull(labOrders.userId), named);
  const orders = await run(database.orm.select().from(labOrders).where(mine).limit(candidatesMax));
  const teams = new Map<string, LabTeam | null>();
  for (const { teamId } of orders) if (!teams.has(teamId)) teams.set(teamId, await owners.findTeam(database, teamId));
  return orders.flatMap((order) => {
    const team = teams.get(order.teamId) ?? null;
    return team === null || team.isSandbox ? [] : [{ order, team }];
  });
}

/**
 * Finds the order of a notice: ours by its id, an imported one by its sample. Nothing proves whose a sample number is, so a report without
 * an order id reaches a team only if it names its patient and one order of all teams fits its sample and its patient.
 */
export async function findOrder(context: LabsContext, labId: number, notice: ReadableNotice): Promise<FoundOrder> {
  const orders = await findOrders(context, labId, notice);
  const [first] = orders;
  if (!first) return unknown;
  if (notice.orderId !== null) return { kind: 'found', ...first };
  const held = (reason: HoldReason): FoundOrder => ({
    kind: 'held',
    reason,
    userIds: [...new Set(orders.flatMap(({ order: { userId } }) => userId ?? []))],
  });
  const patient = notice.kind === 'results' ? notice.patient : null;
  if (patient === null) return held('patient_absent');
  if (!isNamed(patient)) return held('patient_incomplete');
  const fitting: TeamsOrder[] = [];
  for (const one of orders) {
    const [view]: readonly OrderView[] = await readOrders(context.database, context, one.team.teamId, [one.order.orderId]);
    if (view && isPatient(view, patient)) fitting.push(one);
  }
  const [only, ...more] = fitting;
  if (!only) return held('patient_mismatch');
  return more.length === 0 ? { kind: 'found', ...only } : held('several_orders');
}
