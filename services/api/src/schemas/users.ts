import { Type } from 'typebox';
import { BirthDate, closedEnum, DateOnly, optional, Uuid } from '@pulsewire/contract';

// Bounded, because a longer reference would exceed the size limit of its unique index.
const clientUserId = Type.String({
  minLength: 1,
  maxLength: 512,
  format: 'reference',
  description: "The team's reference for the user; no personal data, such as an e-mail address or a telephone number.",
});
const timeZone = optional(Type.String({ format: 'time-zone', description: 'IANA zone id, for sources whose data have no time zone.' }));
const days = { fallback_birth_date: optional(BirthDate), ingestion_start: optional(DateOnly), ingestion_end: optional(DateOnly) };

/** The contract's body with further checks: existing time zones, references of bounded length. */
export const CreateUserBody = Type.Object(
  { client_user_id: clientUserId, fallback_time_zone: timeZone, ...days },
  { title: 'CreateUserBody' },
);

const updates = { client_user_id: optional(clientUserId), fallback_time_zone: timeZone, ...days };

/** The same for updates, at least one field; null leaves `client_user_id` as it is. */
export const UpdateUserBody = Type.Object(updates, {
  title: 'UpdateUserBody',
  allOf: [{ anyOf: Object.keys(updates).map((field) => ({ required: [field] })) }],
});

/** POST /v2/user/{user_id}/create_portal_url. */
export const CreatePortalUrlBody = Type.Object(
  {
    context: closedEnum(['launch', 'communications'], {
      description: 'launch: for minutes, at once; communications: for weeks, in messages.',
    }),
    order_id: optional(Uuid, { description: 'Leads to one order.' }),
  },
  { title: 'CreatePortalUrlBody' },
);
