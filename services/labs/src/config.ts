import { connectionsConfig, databaseConfig, encryptionConfig } from '@pulsewire/database';
import { labPartnerConfig } from '@pulsewire/labs';
import { defineConfig } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the process that calls labs and their partners. */
export const labsConfig = defineConfig({
  ...databaseConfig,
  ...connectionsConfig({ minimum: 2, default: 4 }),
  ...encryptionConfig,
  ...labPartnerConfig,
  concurrency: {
    env: 'LAB_CALLS_CONCURRENCY',
    schema: Type.Integer({ minimum: 1, maximum: 64, default: 8 }),
    description: 'Calls to partners at the same time. At most half of them are to one partner, so that a slow one leaves room for others.',
  },
});
