import {
  Appointment,
  AppointmentAddressInput,
  AvailabilityBody,
  BookAppointmentBody,
  CancelVisitBody,
  HomeAvailabilityQuery,
  OrderParams,
  RequestAppointmentBody,
} from '@pulsewire/contract';
import { book, cancelAppointment, findHomeSlots, requestVisit } from '@pulsewire/labs';
import { renderSlot } from '../../../render/labs/availability.ts';
import { defineRoute, ok, type Route } from '../../../route/route.ts';
import { bookableStart } from './bookable-start.ts';
import { bookingResponse, confirmationWaitOf } from './booking-response.ts';
import { appointmentRoutesOf } from './shared-routes.ts';

const findHomeSlotsRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/phlebotomy/appointment/availability',
  operationId: 'findHomeAppointmentSlots',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Find the slots of phlebotomists at an address',
  description: 'Always 14 days, in the time zone of the address. Every response has booking keys of its own.',
  query: HomeAvailabilityQuery,
  body: AppointmentAddressInput,
  responses: { 200: { description: 'The slots by day.', schema: AvailabilityBody } },
  failures: [400, 404, 503],
  refine: bookableStart,
  async handler({ labs, team }, { query, body }) {
    const { timeZone, days } = await findHomeSlots(labs, team, body, query.start_date ?? null);
    return ok({ slots: days.map(({ date, slots }) => ({ location: null, date, slots: slots.map(renderSlot) })), timezone: timeZone });
  },
});

const bookVisitRoute = defineRoute({
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

const requestVisitRoute = defineRoute({
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

const cancelVisitRoute = defineRoute({
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

const shared = appointmentRoutesOf({
  type: 'phlebotomy',
  partner: 'phlebotomy',
  segment: 'phlebotomy',
  operation: 'Home',
  summaries: {
    reasons: 'List the reasons for which visits are cancelled',
    reasonsOf: 'Each phlebotomy provider has its own.',
    read: 'Read the active at-home appointment of an order',
    move: 'Move the visit of a phlebotomist to another slot',
  },
});

/** Visits of phlebotomists. */
export const homeAppointmentRoutes: readonly Route[] = [
  findHomeSlotsRoute,
  shared.reasons,
  shared.read,
  bookVisitRoute,
  requestVisitRoute,
  shared.move,
  cancelVisitRoute,
];
