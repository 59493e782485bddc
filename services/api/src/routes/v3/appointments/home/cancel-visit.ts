import { Appointment, CancelVisitBody, OrderParams } from '@pulsewire/contract';
import { cancelAppointment } from '@pulsewire/labs';
import { defineRoute } from '../../../../route/route.ts';
import { bookingResponse } from '../booking-response.ts';

export const cancelVisitRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/order/{order_id}/phlebotomy/appointment/cancel',
  operationId: 'cancelHomeAppointment',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Cancel the visit of a phlebotomist',
  params: OrderParams,
  body: CancelVisitBody,
  responses: { 200: { description: 'The cancelled appointment.', schema: Appointment } },
  failures: [400, 404, 503],
  async handler({ labCalls, team }, { params, body }) {
    const { cancellation_reason_id: reasonId, notes: note = null } = body;
    const wanted = { orderId: params.order_id, type: 'phlebotomy', reasonId, note } as const;
    return bookingResponse(await cancelAppointment(labCalls, team, wanted));
  },
});
