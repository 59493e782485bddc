import { Type } from 'typebox';
import type { Executor } from './client.ts';

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
      description: 'Connections to Postgres that this process may open, beside one for notifications. Idle ones are closed after a minute.',
    },
  } as const;
}

/** How many connections a process may still open at this server. */
export interface ConnectionBudget {
  /** Connections that roles without special rights may have together. */
  readonly limit: number;
  /** Those of other processes. */
  readonly others: number;
}

/** Compares with what other processes have open now; those of this pool are left out. */
export async function readConnectionBudget({ sql }: Executor): Promise<ConnectionBudget> {
  const [row] = await sql<{ limit: number; others: number }[]>`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS "limit",
      (SELECT count(*)::int FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND application_name <> current_setting('application_name')) AS others`;
  return { limit: row?.limit ?? 0, others: row?.others ?? 0 };
}
