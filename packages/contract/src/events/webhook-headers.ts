import { Type } from 'typebox';

const text = (description: string) => Type.String({ description });

/** Our headers of a webhook request, in addition to HTTP's own and the team's custom ones. */
export const WebhookHeaders = Type.Object(
  {
    'webhook-id': text('The same for every attempt and every replay of an event.'),
    'webhook-timestamp': text('Seconds since the epoch at which the attempt was signed.'),
    'webhook-signature': text('One or more signatures, separated by spaces.'),
    'webhook-sequence': Type.Optional(text('Position of the event in the log; it only rises for a user. Test events have none.')),
    'webhook-test': Type.Optional(text('`true` on test events.')),
    'svix-id': Type.Optional(text('As `webhook-id`, unless the endpoint switches these headers off.')),
    'svix-timestamp': Type.Optional(text('As `webhook-timestamp`.')),
    'svix-signature': Type.Optional(text('As `webhook-signature`.')),
    traceparent: Type.Optional(text('W3C trace context of the pull or request that caused the event.')),
  },
  { title: 'WebhookHeaders' },
);
