import { AvailabilityBody, CenterAvailabilityQuery } from '@pulsewire/contract';
import { findCenterSlots } from '@pulsewire/labs';
import { renderCenterDay } from '../../../../render/labs/availability.ts';
import { defineRoute, ok } from '../../../../route/route.ts';
import { bookableStart } from '../bookable-start.ts';

export const findCenterSlotsRoute = defineRoute({
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
