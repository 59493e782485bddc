import { Appointment, CancellationReasonsBody, OrderParams, RescheduleAppointmentBody } from '@pulsewire/contract';
import {
  getActiveAppointment,
  listCancellationReasons,
  renderAppointment,
  rescheduleAppointment,
  type AppointmentType,
  type SchedulingPartner,
} from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';
import { bookingResponse } from './booking-response.ts';

/** What visits of phlebotomists and appointments at service centers do in the same way. */
export interface AppointmentKind {
  readonly type: AppointmentType;
  readonly partner: SchedulingPartner['kind'];
  /** In paths. */
  readonly segment: 'phlebotomy' | 'psc';
  /** In names of operations. */
  readonly operation: 'Home' | 'Center';
  readonly summaries: { readonly reasons: string; readonly reasonsOf: string; readonly read: string; readonly move: string };
}

export function appointmentRoutesOf({ type, partner, segment, operation, summaries }: AppointmentKind) {
  const shared = { area: 'lab appointments', auth: 'key' } as const;
  return {
    reasons: defineRoute({
      ...shared,
      method: 'GET',
      path: `/v3/order/${segment}/appointment/cancellation-reasons`,
      operationId: `list${operation}CancellationReasons`,
      summary: summaries.reasons,
      description: summaries.reasonsOf,
      responses: { 200: { description: 'The reasons.', schema: CancellationReasonsBody } },
      async handler({ labs, team }) {
        const reasons = listCancellationReasons(labs, team, partner);
        return ok(reasons.map(({ reasonId, name, isRefundable }) => ({ id: reasonId, name, is_refundable: isRefundable })));
      },
    }),
    read: defineRoute({
      ...shared,
      method: 'GET',
      path: `/v3/order/{order_id}/${segment}/appointment`,
      operationId: `get${operation}Appointment`,
      summary: summaries.read,
      params: OrderParams,
      responses: { 200: { description: 'The appointment.', schema: Appointment } },
      failures: [404],
      async handler({ labs, team }, { params }) {
        const view = await getActiveAppointment(labs.database, labs, { teamId: team.teamId, orderId: params.order_id, type });
        return ok(renderAppointment(view), { userId: view.userId });
      },
    }),
    move: defineRoute({
      ...shared,
      method: 'PATCH',
      path: `/v3/order/{order_id}/${segment}/appointment/reschedule`,
      operationId: `reschedule${operation}Appointment`,
      waitsForOthers: true,
      summary: summaries.move,
      description: 'Notes replace those of the appointment; without any they stay.',
      params: OrderParams,
      body: RescheduleAppointmentBody,
      responses: { 200: { description: 'The appointment.', schema: Appointment } },
      failures: [400, 404, 503],
      async handler({ labCalls, team }, { params, body }) {
        const { booking_key: bookingKey, appointment_notes: notes = null } = body;
        return bookingResponse(await rescheduleAppointment(labCalls, team, { orderId: params.order_id, type, bookingKey, notes }));
      },
    }),
  };
}
