import { AppointmentAddressInput, AvailabilityBody, HomeAvailabilityQuery } from '@pulsewire/contract';
import { findHomeSlots } from '@pulsewire/labs';
import { renderSlot } from '../../../../render/labs/availability.ts';
import { defineRoute, ok } from '../../../../route/route.ts';
import { bookableStart } from '../bookable-start.ts';

export const findHomeSlotsRoute = defineRoute({
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
