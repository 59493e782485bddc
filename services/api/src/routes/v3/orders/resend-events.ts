import { ResendEventsBody, ResentBody } from '@pulsewire/contract';
import { resendOrderEvents } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';
import { dateTimeMs } from '../../../validate/formats.ts';
import { fieldError } from '../../../validate/validate-request.ts';

export const resendOrderEventsRoute = defineRoute({
  method: 'POST',
  path: '/v3/order/resend_events',
  operationId: 'resendOrderEvents',
  area: 'lab orders',
  auth: 'key',
  summary: 'Send the events of orders again',
  description: 'Of the orders named, or of those that changed in a window of at most 60 days: the oldest 500.',
  body: ResendEventsBody,
  responses: { 200: { description: 'The orders whose event was sent again.', schema: ResentBody } },
  failures: [400],
  refine: ({ body }) =>
    body.order_ids || body.start_at
      ? []
      : [fieldError(['body', 'order_ids'], 'order_ids or start_at must be given', body.order_ids ?? null)],
  async handler({ labs, team, clock }, { body }) {
    const { order_ids: orderIds = null, start_at: start, end_at: end } = body;
    const from = start ? new Date(dateTimeMs(start)) : null;
    const to = end ? new Date(dateTimeMs(end)) : clock.now();
    return ok({ order_ids: await resendOrderEvents(labs, team, { orderIds, from, to }) });
  },
});
