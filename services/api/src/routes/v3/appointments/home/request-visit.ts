import { Appointment, OrderParams, RequestAppointmentBody } from '@pulsewire/contract';
import { requestVisit } from '@pulsewire/labs';
import { defineRoute } from '../../../../route/route.ts';
import { bookingResponse } from '../booking-response.ts';

export const requestVisitRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/{order_id}/phlebotomy/appointment/request',
  operationId: 'requestHomeAppointment',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Request a visit whose time the phlebotomist sets',
  params: OrderParams,
  body: RequestAppointmentBody,
  responses: { 200: { description: 'The pending appointment, as yet without a time.', schema: Appointment } },
  failures: [400, 404],
  async handler({ labCalls, team }, { params, body }) {
    const { address, provider, appointment_notes: notes = null } = body;
    return bookingResponse(await requestVisit(labCalls, team, { orderId: params.order_id, provider, address, notes }));
  },
});
