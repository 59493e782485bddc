import {
  Appointment,
  AvailabilityBody,
  BookAppointmentBody,
  CancelAtCenterBody,
  CenterAvailabilityQuery,
  IdempotencyHeaders,
  OrderParams,
} from '@pulsewire/contract';
import { book, cancelAppointment, completeRequest, findCenterSlots, releaseRequest } from '@pulsewire/labs';
import { renderCenterDay } from '../../../render/labs/availability.ts';
import { defineRoute, ok, type Route } from '../../../route/route.ts';
import { runOnce } from '../orders/run-once.ts';
import { bookableStart } from './bookable-start.ts';
import { bookingResponse, confirmationWaitOf } from './booking-response.ts';
import { appointmentRoutesOf } from './shared-routes.ts';

const findCenterSlotsRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/psc/appointment/availability',
  operationId: 'findCenterAppointmentSlots',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Find the slots of service centers',
  description:
    'Of up to three centers by their site codes, or of the nearest ones around a ZIP code; 14 days in the time zone of each. With `allow_stale` the response may be a quarter of an hour old.',
  query: CenterAvailabilityQuery,
  responses: { 200: { description: 'The slots by center and day.', schema: AvailabilityBody } },
  failures: [400, 404, 503],
  refine: bookableStart,
  async handler({ labs, team, background }, { query }) {
    const {
      lab,
      start_date: startDate = null,
      site_codes: siteCodes = [],
      zip_code: zipCode = null,
      radius,
      allow_stale: allowStale,
    } = query;
    const choice = { lab, siteCodes, zipCode, miles: Number(radius), startDate, allowStale };
    const { days, refresh } = await findCenterSlots(labs, team, choice);
    if (refresh !== null) background.start('center_slots.refresh', refresh);
    return ok({ slots: days.map(renderCenterDay), timezone: null });
  },
});

const bookAtCenterRoute = defineRoute({
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

const cancelAtCenterRoute = defineRoute({
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

const shared = appointmentRoutesOf({
  type: 'patient_service_center',
  partner: 'service_center',
  segment: 'psc',
  operation: 'Center',
  summaries: {
    reasons: 'List the reasons for which appointments at service centers are cancelled',
    reasonsOf: 'Each lab has its own.',
    read: 'Read the active service-center appointment of an order',
    move: 'Move an appointment at a service center to another slot',
  },
});

/** Appointments at service centers. */
export const centerAppointmentRoutes: readonly Route[] = [
  findCenterSlotsRoute,
  shared.reasons,
  shared.read,
  bookAtCenterRoute,
  shared.move,
  cancelAtCenterRoute,
];
