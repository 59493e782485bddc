import { providerConfigFields } from '@pulsewire/connections';
import { databaseConfig, encryptionConfig, type EncryptionConfig } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { defineConfig, type ConfigFields, type ConfigOf } from '@pulsewire/runtime';

/** Settings of the console, in addition to those of every process. */
export const consoleConfigFields = defineConfig({
  host: { env: 'HOST', type: 'string', default: '127.0.0.1', description: 'Address that the console listens on.' },
  port: { env: 'PORT', type: 'integer', max: 65_535, default: 8090, description: 'Port of the console; 0 picks a free one.' },
  ...databaseConfig,
  databaseConnectionsMax: {
    env: 'DATABASE_CONNECTIONS_MAX',
    type: 'integer',
    min: 2,
    max: 200,
    default: 5,
    description: 'Connections to Postgres that this process may open.',
  },
  baseUrl: {
    env: 'BASE_URL',
    type: 'url',
    description: 'Address of the API for browsers and providers: it serves callbacks and logos.',
  },
  linkWebUrl: {
    env: 'LINK_WEB_URL',
    type: 'url',
    optional: true,
    defaultText: '`BASE_URL/link`',
    description: 'Address of the link page for browsers, the same as in the API; a proxy must keep its path.',
  },
  ...encryptionConfig,
  linkTokenSecret: {
    env: 'LINK_TOKEN_SECRET',
    type: 'string',
    minLength: 32,
    secret: true,
    description: 'Signs link tokens; the same as in the API.',
  },
});

export type ConsoleConfig = Omit<ConfigOf<typeof consoleConfigFields>, keyof EncryptionConfig> & EncryptionConfig;

/** With the settings of every registered provider. */
export const consoleProcessFields: typeof consoleConfigFields & ConfigFields = {
  ...consoleConfigFields,
  ...providerConfigFields(connectors),
};
