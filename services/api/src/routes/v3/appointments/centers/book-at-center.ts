import { Appointment, BookAppointmentBody, IdempotencyHeaders, OrderParams } from '@pulsewire/contract';
import { book, completeRequest, releaseRequest } from '@pulsewire/labs';
import { defineRoute } from '../../../../route/route.ts';
import { runOnce } from '../../orders/run-once.ts';
import { bookingResponse } from '../booking-response.ts';
import { confirmationWaitOf } from '../confirmation-wait.ts';

export const bookAtCenterRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/{order_id}/psc/appointment/book',
  operationId: 'bookCenterAppointment',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Book an appointment at a service center',
  params: OrderParams,
  headers: IdempotencyHeaders,
  body: BookAppointmentBody,
  responses: { 200: { description: 'The appointment; pending while its confirmation is awaited.', schema: Appointment } },
  failures: [400, 404, 409, 503],
  async handler(context, { params, headers, body }) {
    const { labs, labCalls, team } = context;
    const { booking_key: bookingKey, appointment_notes: notes = null } = body;
    const once = { endpoint: 'psc_appointment', headers, body: { ...body, order_id: params.order_id } };
    return runOnce(context, once, async (claim) => {
      const booking = {
        orderId: params.order_id,
        type: 'patient_service_center',
        bookingKey,
        notes,
        confirmationWait: confirmationWaitOf(body),
      } as const;
      const outcome = await book(labCalls, team, booking);
      const response = bookingResponse(outcome, { slotGone: team.isSandbox ? 400 : 404 });
      if (claim === null) return response;
      const { status, body: sent } = response;
      if (status >= 400 && headers['x-idempotency-error'] !== undefined) await releaseRequest(labs.database, claim);
      else await completeRequest(labs.database, labs, claim, { status, body: JSON.stringify(sent), userId: outcome.view.userId });
      return response;
    });
  },
});
