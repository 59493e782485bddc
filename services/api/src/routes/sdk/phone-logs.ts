import { Type } from 'typebox';
import { DetailBody, UserParams } from '@pulsewire/contract';
import { accepted, defineRoute } from '../../route/route.ts';
import { assertSender } from './assert-sender.ts';
import { AcceptedBody } from './sdk-schemas.ts';

const eventsMax = 100;
const bytesMax = 64 * 1024;

// Every field is open, because unexpected log data must never make a phone stop sending data.
const Logs = Type.Object(
  {
    sdkVersion: Type.Optional(Type.Unknown()),
    provider: Type.Optional(Type.Unknown()),
    events: Type.Optional(Type.Unknown({ description: `Up to ${eventsMax} events, each with an eventType.` })),
  },
  { title: 'PhoneLogs' },
);

const typeOf = (event: unknown): string => {
  const type = (event as { readonly eventType?: unknown } | null)?.eventType;
  return typeof type === 'string' && /^\w{1,60}$/.test(type) ? type : 'unknown';
};

export const phoneLogsRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/sdk/users/{user_id}/logs',
  operationId: 'logPhoneEvents',
  area: 'phones',
  auth: 'phone',
  summary: "Receive a phone's telemetry",
  description: 'Called by the mobile SDKs. The types of events go into the log of the process; nothing is stored.',
  params: UserParams,
  body: Logs,
  responses: {
    202: { description: 'Accepted.', schema: AcceptedBody },
    401: { description: 'No token or key, or one that is not valid.', schema: DetailBody },
  },
  failures: [403, 404, 503],
  bodyBytesMax: bytesMax,
  async handler(context, { params: { user_id: userId }, body }) {
    await assertSender(context, userId);
    await context.phone.limits.run(`logs ${userId}`, async () => {});
    const events = Array.isArray(body.events) ? body.events.slice(0, eventsMax).map(typeOf) : [];
    context.logger.info({ userId, events }, 'phone.reported');
    return accepted({ status_code: 202, response: 'Accepted', user_id: userId });
  },
});
