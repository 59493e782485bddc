import { Type } from 'typebox';

/** How a process reaches Postgres; to be spread into the settings of a service. */
export const databaseConfig = {
  databaseUrl: {
    env: 'DATABASE_URL',
    schema: Type.String({ format: 'postgres-url' }),
    secret: true,
    description: 'Postgres 15 or later, shared by all processes.',
  },
} as const;
