/** How a process reaches Postgres; to be spread into the settings of a service. */
export const databaseConfig = {
  databaseUrl: {
    env: 'DATABASE_URL',
    type: 'url',
    schemes: ['postgres', 'postgresql'],
    secret: true,
    description: 'Postgres 15 or later, shared by all processes.',
  },
} as const;
