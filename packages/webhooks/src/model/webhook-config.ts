import { Type } from 'typebox';

/** Settings of processes that accept or call webhook addresses; to be spread into the settings of a service. */
export const webhookConfig = {
  allowedNetworks: {
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    schema: Type.Array(Type.String({ format: 'network' }), { default: [] }),
    defaultText: 'none',
    description: 'Private networks that webhooks may be sent to; all others are rejected. API and dispatcher need the same value.',
  },
} as const;
