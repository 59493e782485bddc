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
