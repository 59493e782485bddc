import type { CollectionMethod } from '../../../../packages/labs/src/model/catalogue.ts';
import { isAllowed, lowLevel } from '../../../../packages/labs/src/orders/statuses/status.ts';
import { machineOf } from '../../../../packages/labs/src/orders/statuses/transitions.ts';
import type { Booking } from '../booking.ts';
import type { Observed } from '../caller.ts';
import { judgeCompany, type CompanyState, type RealOrder } from './judge-company.ts';
import type { OrderStatus } from '../../../../packages/labs/src/model/order-status-words.ts';

export interface Verdict {
  readonly orders: number;
  /** Appointments that are active at the end. */
  readonly standing: number;
  /** Kits that were sent. */
  readonly kits: number;
  /** One sentence each; must be empty. */
  readonly faults: readonly string[];
}

/** What is stored here when nothing is in progress any more. */
export interface StoredState {
  readonly orders: readonly StoredOrder[];
  readonly appointments: readonly StoredAppointment[];
  /** Orders of teams that are no sandboxes. */
  readonly real: readonly RealOrder[];
}

export interface StoredOrder {
  readonly id: string;
  readonly userId: string;
  readonly method: CollectionMethod;
  readonly registrable: boolean;
  readonly status: OrderStatus;
  /** Every status it had. */
  readonly statuses: readonly OrderStatus[];
  /** Changes that the log has an event for. */
  readonly announced: number;
}

export interface StoredAppointment {
  readonly id: string;
  readonly status: string;
  readonly providerId: string;
  readonly startAtMs: number | null;
  /** Every event status it had. */
  readonly history: readonly string[];
  /** Events in the log. */
  readonly announced: number;
}

/** Orders with a status that does not follow from their history, or with changes that have no event. */
function judgeHistories(orders: readonly StoredOrder[], faults: string[]): void {
  for (const { id, method, registrable: isRegistrable, status, statuses, announced } of orders) {
    const lows = statuses.map(lowLevel);
    const [first] = lows;
    const isStart = first !== undefined && machineOf(method, isRegistrable).starts.includes(first);
    const wrong = lows.findIndex((to, index) => {
      const from = lows[index - 1];
      return from !== undefined && !isAllowed({ method, isRegistrable, from }, to);
    });
    if (!isStart || wrong >= 0) faults.push(`The history of order ${id} is not possible: ${lows.join(', ')}`);
    if (status !== statuses.at(-1)) faults.push(`Order ${id} is ${status}, and its history ends with ${statuses.at(-1)}`);
    // The teams have not enabled events of partial results.
    const [changes, silent] = [statuses.length, lows.filter((low) => low === 'partial_results').length];
    if (announced > changes || announced < changes - silent)
      faults.push(`Order ${id} has ${statuses.length} changes, of which ${announced} have events`);
  }
}

/** Requests that created more than one order, or none, or no appointment, although one was confirmed to the client. */
function judgeRequests({ orders, appointments }: StoredState, observed: Pick<Observed, 'orders' | 'appointments'>, faults: string[]): void {
  for (const [id, all] of Map.groupBy(orders, ({ userId }) => userId))
    if (all.length > 1) faults.push(`User ${id} has more than one order`);
  const stored = new Set(orders.map(({ id }) => id));
  for (const [key, ids] of observed.orders) {
    if (ids.size !== 1) faults.push(`Repeats of ${key} returned ${ids.size} different orders`);
    for (const id of ids) if (!stored.has(id)) faults.push(`Order ${id} was confirmed to its client and is not stored`);
  }
  const booked = new Set(appointments.map(({ id }) => id));
  for (const id of observed.appointments)
    if (!booked.has(id)) faults.push(`Appointment ${id} was confirmed to its client and is not stored`);
}

/** What may follow each status of an appointment; `scheduled` may be repeated by a rescheduling. */
const followers: Readonly<Record<string, readonly string[]>> = {
  pending: ['scheduled', 'in_progress', 'completed', 'cancelled'],
  scheduled: ['scheduled', 'in_progress', 'completed', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
};

/** Bookings at the partner without an appointment, appointments without their booking, and changes without an event. */
function judgeBookings(appointments: readonly StoredAppointment[], active: readonly Booking[], faults: string[]): number {
  const byId = new Map(appointments.map((appointment) => [appointment.id, appointment]));
  const seen = new Set<string>();
  for (const { appointmentId, providerId, state } of active) {
    const appointment = byId.get(appointmentId);
    // The company refuses to cancel a visit that has begun.
    const isOpen = state === 'pending' || state === 'scheduled';
    if (!appointment) faults.push(`Booking ${providerId} belongs to no appointment`);
    else if (appointment.status === 'cancelled' && isOpen) faults.push(`Booking ${providerId} stands, and its appointment is cancelled`);
    if (seen.has(appointmentId)) faults.push(`Appointment ${appointmentId} is booked twice`);
    seen.add(appointmentId);
  }
  const standing = appointments.filter(({ status }) => status === 'confirmed');
  for (const { id, providerId, startAtMs } of standing) {
    const booking = active.find((each) => each.appointmentId === id && each.providerId === providerId);
    if (booking && booking.state !== 'scheduled') faults.push(`Appointment ${id} is confirmed, and its booking ${booking.state}`);
    if (!booking) faults.push(`Appointment ${id} is confirmed, and the partner has no booking`);
    else if (booking.startAtMs !== startAtMs) faults.push(`Appointment ${id} has another time than its booking`);
  }
  const begun = appointments.filter(({ status }) => status === 'in_progress' || status === 'completed');
  for (const { id, status, providerId } of begun)
    if (!active.some((each) => each.providerId === providerId))
      faults.push(`Appointment ${id} is ${status}, and the partner has no booking`);
  for (const { id, status, announced, history } of appointments) {
    const wrong = history.findIndex((to, index) => index > 0 && !followers[history[index - 1] ?? '']?.includes(to));
    if (wrong >= 0) faults.push(`The history of appointment ${id} is not possible: ${history.join(', ')}`);
    if (status === 'pending') faults.push(`Appointment ${id} is pending for ever`);
    if (history.length !== announced) faults.push(`Appointment ${id} has ${history.length} changes and ${announced} events`);
  }
  return standing.length;
}

/** Compares the stored data with those of the partners and with the responses to clients, once nothing is in progress. */
export function judge(
  state: StoredState,
  active: readonly Booking[],
  company: CompanyState,
  observed: Pick<Observed, 'orders' | 'appointments'>,
): Verdict {
  const faults: string[] = [];
  judgeHistories(state.orders, faults);
  judgeRequests(state, observed, faults);
  const standing = judgeBookings(state.appointments, active, faults);
  const kits = judgeCompany(state.real, company, faults);
  return { orders: state.orders.length, standing, kits, faults };
}

/** Committed events that no team received at every one of its endpoints. */
export function lostEvents(committed: Iterable<string>, received: readonly (readonly ReadonlySet<string>[])[]): readonly string[] {
  return [...committed].filter((id) => !received.some((endpoints) => endpoints.every((sightings) => sightings.has(id))));
}
