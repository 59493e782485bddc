import { Type, type Static } from 'typebox';
import {
  allEventTypes,
  closedEnum,
  CreateWebhookBody as ContractCreate,
  CreateReplayBody as ContractReplay,
  EventListQuery as ContractEvents,
  exampleDataJson,
  optional,
  UpdateWebhookBody as ContractUpdate,
  Uuid,
} from '@pulsewire/contract';

const filterTypes = optional(Type.Array(closedEnum(allEventTypes()), { maxItems: 500 }), {
  description: 'Exact event types; null or empty means all.',
});

/** The contract's body, restricted to existing event types. */
export const CreateWebhookBody = Type.Object(
  { ...ContractCreate.properties, filter_types: filterTypes },
  { title: 'CreateWebhookBody', additionalProperties: false },
);

/** The same for changes. */
export const UpdateWebhookBody = Type.Object(
  { ...ContractUpdate.properties, filter_types: filterTypes },
  { title: 'UpdateWebhookBody', additionalProperties: false },
);

export const EndpointParams = Type.Object({ webhook_id: Uuid }, { title: 'EndpointParams' });

/** An endpoint and one of its replays. */
export const ReplayParams = Type.Object({ webhook_id: Uuid, replay_id: Uuid }, { title: 'ReplayParams' });

/** A `webhook-id`. */
export const MessageParams = Type.Object({ message_id: Type.String({ maxLength: 64 }) }, { title: 'MessageParams' });

/** A message and its target endpoint. */
export const ResendParams = Type.Object({ webhook_id: Uuid, ...MessageParams.properties }, { title: 'ResendParams' });

const withExample = allEventTypes().filter((eventType) => exampleDataJson(eventType) !== undefined);

/** POST …/test. The package refuses types without an example, because it can distinguish them from unknown types. */
export const SendTestBody = Type.Object(
  { event_type: closedEnum(allEventTypes(), { allOf: [{ enum: withExample }], description: 'The event type of the example.' }) },
  { title: 'SendTestBody', additionalProperties: false },
);

/** The contract's body with the existing event types; the package refuses others, together with an invalid range. */
export const CreateReplayBody = Type.Object(
  {
    ...ContractReplay.properties,
    event_types: optional(Type.Array(Type.String({ minLength: 1, allOf: [{ enum: allEventTypes() }] }), { maxItems: 500 }), {
      description: 'Must pass the filter of the endpoint; null or empty means all of them.',
    }),
  },
  { title: 'CreateReplayBody', additionalProperties: false },
);
export type CreateReplayBody = Static<typeof CreateReplayBody>;

/** The contract's query, restricted to existing types. */
export const EventListQuery = Type.Object(
  {
    ...ContractEvents.properties,
    event_types: Type.Optional(
      Type.Array(closedEnum(allEventTypes()), { maxItems: 500, description: 'Exact event types; by default all except operational ones.' }),
    ),
  },
  { title: 'EventListQuery', additionalProperties: false },
);

export const EventTypesQuery = Type.Object(
  { event_types: Type.Optional(Type.Array(closedEnum(allEventTypes()), { maxItems: 500, description: 'Only these.' })) },
  { title: 'EventTypesQuery', additionalProperties: false },
);
