import type { Database } from '@pulsewire/database';
import { lowLevel } from '../../../../packages/labs/src/orders/statuses/status.ts';
import type { StoredAppointment, StoredOrder, StoredState } from './judge.ts';
import type { OrderStatus } from '../../../../packages/labs/src/model/order-status-words.ts';

/** Orders and appointments with their histories, and how many of their changes the log has. */
export async function readState({ sql }: Database): Promise<StoredState> {
  const orders = await sql<StoredOrder[]>`
    SELECT o.order_id AS id, o.user_id AS "userId", o.method, o.is_registrable AS registrable, o.status,
      array(SELECT e.status FROM lab_order_events e WHERE e.order_id = o.order_id ORDER BY e.event_id) AS statuses,
      (SELECT count(DISTINCT l.json::json -> 'last_event' ->> 'id')::int FROM log_events l
        WHERE l.event_type LIKE 'labtest.order.%' AND l.json::json ->> 'id' = o.order_id::text) AS announced
    FROM lab_orders o`;
  const appointments = await sql<StoredAppointment[]>`
    SELECT a.appointment_id AS id, a.status, a.provider_id AS "providerId", (date_part('epoch', a.start_at) * 1000)::float AS "startAtMs",
      array(SELECT e.status FROM lab_appointment_events e WHERE e.appointment_id = a.appointment_id ORDER BY e.event_id) AS history,
      (SELECT count(*)::int FROM log_events l WHERE l.event_type LIKE 'labtest.appointment.%' AND l.json::json ->> 'id' = a.appointment_id::text) AS announced
    FROM lab_appointments a`;
  const real = await sql<{ id: string; method: string; statuses: readonly OrderStatus[]; reviews: number }[]>`
    SELECT o.order_id AS id, o.method, array(SELECT e.status FROM lab_order_events e WHERE e.order_id = o.order_id ORDER BY e.event_id) AS statuses,
      (SELECT count(*)::int FROM lab_unmatched_results r WHERE o.user_id = ANY (r.candidate_user_ids)) AS reviews
    FROM lab_orders o JOIN teams t USING (team_id) WHERE NOT t.is_sandbox`;
  return { orders, appointments, real: real.map(({ statuses, ...order }) => ({ ...order, lows: statuses.map(lowLevel) })) };
}
