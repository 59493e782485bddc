import type { ShownResults } from './read-results.ts';
import type { CompanyOrder, CompanyParcel } from '../company-model.ts';

export interface CompanyState {
  readonly orders: readonly CompanyOrder[];
  readonly parcels: readonly CompanyParcel[];
}

/** An order of a team that is no sandbox. */
export interface RealOrder {
  readonly id: string;
  readonly method: string;
  /** Every status it had, without level and method. */
  readonly lows: readonly string[];
  /** Results of its user that wait for a review. */
  readonly reviews: number;
  /** As the API shows them. */
  readonly results?: ShownResults;
}

/** States of parcels that wait here until the patient has registered the kit. */
const afterRegistration = new Set(['transit_lab', 'problem_in_transit_lab', 'delivered_to_lab']);
/** States of parcels that an order does not show once its kit is registered. */
const beforeRegistration = new Set(['transit_customer', 'out_for_delivery', 'problem_in_transit_customer', 'with_customer']);
const unplaced = new Set(['ordered', 'awaiting_registration', 'cancelled']);

function judgeOrder(known: RealOrder, order: CompanyOrder | undefined, faults: string[]): void {
  const { id, lows } = known;
  const [last = '', isCancelled] = [lows.at(-1), lows.includes('cancelled')];
  if (!order) return;
  const reports = order.said.filter((said) => said !== 'accepted');
  if (isCancelled && !order.isCancelled && reports.length === 0) faults.push(`Order ${id} is cancelled, and its lab works on it`);
  if (!isCancelled && order.isCancelled) faults.push(`Order ${id} is ${last}, and its lab has cancelled it`);
  if (isCancelled || known.reviews > 0) return;
  judgeResults(known, order, faults);
  if (reports.includes('final') && !lows.includes('completed')) faults.push(`Order ${id} is ${last}, and its lab has reported its results`);
  if (reports.includes('corrected') && last !== 'corrected' && last !== 'completed')
    faults.push(`The correction of order ${id} is missing`);
  if (lows.includes('completed') && !reports.includes('final'))
    faults.push(`Order ${id} is completed, and its lab has not reported results`);
}

/** Every analyte has what its lab said last about it, whatever the order in which its reports arrived. */
function judgeResults({ id, results = new Map() }: RealOrder, order: CompanyOrder, faults: string[]): void {
  for (const [code, value] of Object.entries(order.values)) {
    const shown = results.has(code) ? (results.get(code) ?? 'not measured') : 'nothing';
    const said = value ?? 'not measured';
    const isSame = shown === said || (value !== null && Number(shown) === Number(value));
    if (!isSame) faults.push(`Result ${code} of order ${id} is ${shown}, and its lab said last ${said}`);
  }
}

function judgeParcel({ id, lows }: RealOrder, parcel: CompanyParcel, faults: string[]): void {
  const { state, way } = parcel;
  if (lows.includes('cancelled')) {
    if (state === 'packing') faults.push(`Order ${id} is cancelled, and its kit will be sent`);
    return;
  }
  if (state === 'cancelled') faults.push(`The kit of order ${id} is cancelled, and the order is ${lows.at(-1)}`);
  const isWaiting = afterRegistration.has(state) && !lows.includes('requisition_created');
  const isPast = beforeRegistration.has(state) && lows.includes('registered');
  if (state !== 'packing' && !isWaiting && !isPast && !lows.includes(state))
    faults.push(`The kit of order ${id} is ${state} after ${way.join(', ')}, and the order had only ${lows.join(', ')}`);
  const invented = lows.filter((low) => /transit|delivery|with_customer|delivered/.test(low) && !way.includes(low));
  // A parcel may skip statuses, which the order passes through nevertheless.
  if (invented.some((low) => low.startsWith('problem'))) faults.push(`Order ${id} has a problem that its kit did not have`);
}

/** Orders and kits of real partners that are not as their companies know them. Returns how many kits were sent. */
export function judgeCompany(real: readonly RealOrder[], { orders, parcels }: CompanyState, faults: string[]): number {
  const known = new Map(real.map((order) => [order.id, order]));
  const placed = new Map(orders.map((order) => [order.orderId, order]));
  const sent = new Map(parcels.map((parcel) => [parcel.orderId, parcel]));
  for (const id of [...placed.keys(), ...sent.keys()]) if (!known.has(id)) faults.push(`A partner has order ${id}, which does not exist`);
  for (const order of known.values()) {
    const { id, method, lows } = order;
    const last = lows.at(-1) ?? '';
    judgeOrder(order, placed.get(id), faults);
    const isPlaced =
      !lows.includes('cancelled') && (method !== 'testkit' || lows.includes('registered') || lows.includes('requisition_created'));
    if (isPlaced && !placed.has(id) && !unplaced.has(last)) faults.push(`Order ${id} is ${last}, and no lab has it`);
    if (last === 'ordered' && method !== 'testkit') faults.push(`Order ${id} was never placed at its lab`);
    const parcel = sent.get(id);
    if (parcel) judgeParcel(order, parcel, faults);
    else if (method === 'testkit' && !lows.includes('cancelled')) faults.push(`The kit of order ${id} was forgotten`);
  }
  return parcels.filter(({ way }) => way.length > 1).length;
}
