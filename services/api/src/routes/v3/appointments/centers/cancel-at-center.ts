import { Appointment, CancelAtCenterBody, OrderParams } from '@pulsewire/contract';
import { cancelAppointment } from '@pulsewire/labs';
import { defineRoute } from '../../../../route/route.ts';
import { bookingResponse } from '../booking-response.ts';

export const cancelAtCenterRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/order/{order_id}/psc/appointment/cancel',
  operationId: 'cancelCenterAppointment',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Cancel an appointment at a service center',
  params: OrderParams,
  body: CancelAtCenterBody,
  responses: { 200: { description: 'The cancelled appointment.', schema: Appointment } },
  failures: [400, 404, 503],
  async handler({ labCalls, team }, { params, body }) {
    const { cancellationReasonId: reasonId, note = null } = body;
    const wanted = { orderId: params.order_id, type: 'patient_service_center', reasonId, note } as const;
    return bookingResponse(await cancelAppointment(labCalls, team, wanted));
  },
});
