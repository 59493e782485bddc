import { Appointment, OrderParams, RescheduleAppointmentBody } from '@pulsewire/contract';
import { rescheduleAppointment } from '@pulsewire/labs';
import { defineRoute } from '../../../../route/route.ts';
import { bookingResponse } from '../booking-response.ts';

export const rescheduleAtCenterRoute = defineRoute({
  method: 'PATCH',
  path: '/v3/order/{order_id}/psc/appointment/reschedule',
  operationId: 'rescheduleCenterAppointment',
  area: 'lab appointments',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Move an appointment at a service center to another slot',
  description: 'Notes replace those of the appointment; without any they stay.',
  params: OrderParams,
  body: RescheduleAppointmentBody,
  responses: { 200: { description: 'The appointment.', schema: Appointment } },
  failures: [400, 404, 503],
  async handler({ labCalls, team }, { params, body }) {
    const { booking_key: bookingKey, appointment_notes: notes = null } = body;
    const change = { orderId: params.order_id, type: 'patient_service_center', bookingKey, notes } as const;
    return bookingResponse(await rescheduleAppointment(labCalls, team, change));
  },
});
