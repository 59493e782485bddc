import { linkConfig, providerConfigFields } from '@pulsewire/connections';
import { connectionsConfig, databaseConfig, encryptionConfig, type EncryptionConfig } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { defineConfig, type ConfigFields, type ConfigOf } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the console, in addition to those of every process. */
export const consoleConfigFields = defineConfig({
  host: {
    env: 'HOST',
    schema: Type.String({ format: 'host', default: '127.0.0.1' }),
    description: 'Address on which the console listens.',
  },
  port: {
    env: 'PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65_535, default: 8090 }),
    description: 'Port of the console; 0 picks a free one.',
  },
  ...databaseConfig,
  ...connectionsConfig({ minimum: 2, default: 5 }),
  ...linkConfig,
  // Required here, because no other setting contains the address of the API's callbacks.
  baseUrl: {
    env: linkConfig.baseUrl.env,
    schema: Type.String({ format: 'base-url' }),
    description: linkConfig.baseUrl.description,
  },
  ...encryptionConfig,
});

export type ConsoleConfig = Omit<ConfigOf<typeof consoleConfigFields>, keyof EncryptionConfig> & EncryptionConfig;

/** With the settings of every registered provider. */
export const consoleProcessFields: typeof consoleConfigFields & ConfigFields = {
  ...consoleConfigFields,
  ...providerConfigFields(connectors),
};
