import type { Database } from '@pulsewire/database';
import type { CollectionMethod } from '../../../packages/labs/src/model/catalogue.ts';
import { isAllowed, lowLevel } from '../../../packages/labs/src/orders/statuses/status.ts';
import { machineOf } from '../../../packages/labs/src/orders/statuses/transitions.ts';
import type { Booking } from './booking.ts';
import type { Observed } from './caller.ts';
import { judgeCompany, type CompanyState } from './judge-company.ts';

export interface Verdict {
  readonly orders: number;
  /** Appointments that are active at the end. */
  readonly standing: number;
  /** Kits that were sent. */
  readonly kits: number;
  /** One sentence each; must be empty. */
  readonly faults: readonly string[];
}

interface OrderHistory {
  readonly id: string;
  readonly method: CollectionMethod;
  readonly registrable: boolean;
  readonly status: string;
  readonly statuses: readonly string[];
  readonly announced: number;
}

/** Orders with a status that does not follow from their history, or with changes that have no event. */
async function judgeHistories({ sql }: Database, faults: string[]): Promise<number> {
  const orders = await sql<OrderHistory[]>`
    SELECT o.order_id AS id, o.method, o.is_registrable AS registrable, o.status,
      array(SELECT e.status FROM lab_order_events e WHERE e.order_id = o.order_id ORDER BY e.event_id) AS statuses,
      (SELECT count(DISTINCT l.json::json -> 'last_event' ->> 'id')::int FROM log_events l
        WHERE l.event_type LIKE 'labtest.order.%' AND l.json::json ->> 'id' = o.order_id::text) AS announced
    FROM lab_orders o`;
  for (const { id, method, registrable: isRegistrable, status, statuses, announced } of orders) {
    const lows = statuses.map(lowLevel);
    const isStart = machineOf(method, isRegistrable).starts.includes(lows[0] ?? '');
    const wrong = lows.findIndex((to, index) => index > 0 && !isAllowed({ method, isRegistrable, from: lows[index - 1] ?? '' }, to));
    if (!isStart || wrong >= 0) faults.push(`The history of order ${id} is not possible: ${lows.join(', ')}`);
    if (status !== statuses.at(-1)) faults.push(`Order ${id} is ${status}, and its history ends with ${statuses.at(-1)}`);
    // The teams have not enabled events of partial results.
    const [changes, silent] = [statuses.length, lows.filter((low) => low === 'partial_results').length];
    if (announced > changes || announced < changes - silent)
      faults.push(`Order ${id} has ${statuses.length} changes, of which ${announced} have events`);
  }
  return orders.length;
}

/** Requests that created more than one order, or none although one was confirmed to the client. */
async function judgeRequests({ sql }: Database, observed: Observed, faults: string[]): Promise<void> {
  const doubled = await sql<{ id: string }[]>`SELECT user_id AS id FROM lab_orders GROUP BY user_id HAVING count(*) > 1`;
  for (const { id } of doubled) faults.push(`User ${id} has more than one order`);
  const stored = new Set((await sql<{ id: string }[]>`SELECT order_id AS id FROM lab_orders`).map(({ id }) => id));
  for (const [key, ids] of observed.orders) {
    if (ids.size !== 1) faults.push(`Repeats of ${key} returned ${ids.size} different orders`);
    for (const id of ids) if (!stored.has(id)) faults.push(`Order ${id} was confirmed to its client and is not stored`);
  }
}

/** What may follow each status of an appointment; `scheduled` may be repeated by a rescheduling. */
const followers: Readonly<Record<string, readonly string[]>> = {
  pending: ['scheduled', 'in_progress', 'completed', 'cancelled'],
  scheduled: ['scheduled', 'in_progress', 'completed', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
};

interface StoredAppointment {
  readonly id: string;
  readonly status: string;
  readonly provider_id: string;
  readonly start_ms: number | null;
  readonly history: readonly string[];
  readonly changes: number;
  readonly announced: number;
}

/** Bookings at the partner without an appointment, appointments without their booking, and changes without an event. */
async function judgeBookings({ sql }: Database, active: readonly Booking[], faults: string[]): Promise<number> {
  const appointments = await sql<StoredAppointment[]>`
    SELECT a.appointment_id AS id, a.status, a.provider_id, (date_part('epoch', a.start_at) * 1000)::float AS start_ms,
      array(SELECT e.status FROM lab_appointment_events e WHERE e.appointment_id = a.appointment_id ORDER BY e.event_id) AS history,
      (SELECT count(*)::int FROM lab_appointment_events e WHERE e.appointment_id = a.appointment_id) AS changes,
      (SELECT count(*)::int FROM log_events l WHERE l.event_type LIKE 'labtest.appointment.%' AND l.json::json ->> 'id' = a.appointment_id::text) AS announced
    FROM lab_appointments a`;
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
  for (const { id, provider_id: providerId, start_ms: startMs } of standing) {
    const booking = active.find((each) => each.appointmentId === id && each.providerId === providerId);
    if (booking && booking.state !== 'scheduled') faults.push(`Appointment ${id} is confirmed, and its booking ${booking.state}`);
    if (!booking) faults.push(`Appointment ${id} is confirmed, and the partner has no booking`);
    else if (booking.startAtMs !== startMs) faults.push(`Appointment ${id} has another time than its booking`);
  }
  for (const { id, status, changes, announced, history } of appointments) {
    const wrong = history.findIndex((to, index) => index > 0 && !followers[history[index - 1] ?? '']?.includes(to));
    if (wrong >= 0) faults.push(`The history of appointment ${id} is not possible: ${history.join(', ')}`);
    if (status === 'pending') faults.push(`Appointment ${id} is pending for ever`);
    if (changes !== announced) faults.push(`Appointment ${id} has ${changes} changes and ${announced} events`);
  }
  return standing.length;
}

/** Compares the stored data with those of the partners and with the responses to clients, once nothing is in progress. */
export async function judge(database: Database, active: readonly Booking[], company: CompanyState, observed: Observed): Promise<Verdict> {
  const faults: string[] = [];
  const orders = await judgeHistories(database, faults);
  await judgeRequests(database, observed, faults);
  const standing = await judgeBookings(database, active, faults);
  const kits = await judgeCompany(database, company, faults);
  return { orders, standing, kits, faults };
}
