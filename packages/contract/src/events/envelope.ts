import { Type, type Static } from 'typebox';
import { Uuid } from '../fields/fields.ts';

/** Body of a webhook: exactly these five keys. */
export const Envelope = Type.Object(
  {
    event_type: Type.String({ description: 'Determines the schema of `data`.' }),
    data: Type.Object({}, { additionalProperties: true }),
    team_id: Uuid,
    user_id: Uuid,
    client_user_id: Type.String({ description: "The team's reference for the user; any text." }),
  },
  { title: 'Envelope', additionalProperties: false },
);
export type Envelope = Static<typeof Envelope>;

/** The envelope of events without a user: match reviews and operational events. */
export const TeamEnvelope = Type.Object(
  {
    event_type: Type.String({ description: 'Determines the schema of `data`.' }),
    data: Type.Object({}, { additionalProperties: true }),
    team_id: Uuid,
  },
  { title: 'TeamEnvelope', additionalProperties: false },
);
export type TeamEnvelope = Static<typeof TeamEnvelope>;

export interface EnvelopeParts {
  readonly eventType: string;
  /** Exact JSON text of `data`; it is not parsed again. */
  readonly dataJson: string;
  readonly teamId: string;
  /** null for events without a user, which also omit `clientUserId`. */
  readonly userId: string | null;
  readonly clientUserId: string | null;
}

/** The exact body of a webhook, in a fixed order of keys. */
export function buildEnvelopeJson({ eventType, dataJson, teamId, userId, clientUserId }: EnvelopeParts): string {
  const head = `{"event_type":${JSON.stringify(eventType)},"data":${dataJson},"team_id":"${teamId}"`;
  if (userId === null) return `${head}}`;
  return `${head},"user_id":"${userId}","client_user_id":${JSON.stringify(clientUserId ?? '')}}`;
}

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
