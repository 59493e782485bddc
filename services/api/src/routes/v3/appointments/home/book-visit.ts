import { Appointment, BookAppointmentBody, OrderParams } from '@pulsewire/contract';
import { book } from '@pulsewire/labs';
import { defineRoute } from '../../../../route/route.ts';
import { bookingResponse } from '../booking-response.ts';
import { confirmationWaitOf } from '../confirmation-wait.ts';

export const bookVisitRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/{order_id}/phlebotomy/appointment/book',
  operationId: 'bookHomeAppointment',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Book a visit of a phlebotomist',
  params: OrderParams,
  body: BookAppointmentBody,
  responses: { 200: { description: 'The appointment; pending while its confirmation is awaited.', schema: Appointment } },
  failures: [400, 404, 503],
  async handler({ labCalls, team }, { params, body }) {
    const { booking_key: bookingKey, appointment_notes: notes = null } = body;
    const booking = {
      orderId: params.order_id,
      type: 'phlebotomy',
      bookingKey,
      notes,
      confirmationWait: confirmationWaitOf(body),
    } as const;
    return bookingResponse(await book(labCalls, team, booking));
  },
});
