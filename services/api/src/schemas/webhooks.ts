import { Type } from 'typebox';
import {
  allEventTypes,
  closedEnum,
  CreateWebhookBody as ContractCreate,
  optional,
  UpdateWebhookBody as ContractUpdate,
  Uuid,
} from '@pulsewire/contract';

const filterTypes = optional(Type.Array(closedEnum(allEventTypes()), { maxItems: 500 }), {
  description: 'Exact event types; null or empty means all.',
});

/** The contract's body; every event type that it names must exist. */
export const CreateWebhookBody = Type.Object({ ...ContractCreate.properties, filter_types: filterTypes }, { title: 'CreateWebhookBody' });

/** The same for changes. */
export const UpdateWebhookBody = Type.Object({ ...ContractUpdate.properties, filter_types: filterTypes }, { title: 'UpdateWebhookBody' });

export const EndpointParams = Type.Object({ webhook_id: Uuid }, { title: 'EndpointParams' });

/** How many messages are on their way again. */
export const RecoveredBody = Type.Object({ messages: Type.Integer() }, { title: 'RecoveredBody' });
