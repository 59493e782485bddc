import { Type } from 'typebox';

/** How a process reaches Postgres; to be spread into the settings of a service. */
export const databaseConfig = {
  databaseUrl: {
    env: 'DATABASE_URL',
    schema: Type.String({ format: 'postgres-url' }),
    secret: true,
    description: 'Postgres 15 or later, shared by all processes. Several hosts: the one that can be written is used.',
  },
} as const;

/** The size of a service's pool, under one name for every service. One more connection listens for notifications where a service does. */
export function connectionsConfig(limits: { readonly minimum: number; readonly default: number }) {
  return {
    databaseConnectionsMax: {
      env: 'DATABASE_CONNECTIONS_MAX',
      formerly: ['WEBHOOK_DATABASE_CONNECTIONS_MAX', 'INGEST_DATABASE_CONNECTIONS_MAX', 'RELAY_DATABASE_CONNECTIONS_MAX'],
      schema: Type.Integer({ minimum: limits.minimum, maximum: 200, default: limits.default }),
      description:
        'Connections to Postgres that this process, or each of its worker processes, may open, beside one for notifications. Idle ones are closed after a minute.',
    },
  } as const;
}
