import { linkConfig, providerConfigFields } from '@pulsewire/connections';
import { connectionsConfig, databaseConfig, encryptionConfig, type EncryptionConfig } from '@pulsewire/database';
import { retentionConfig } from '@pulsewire/eventlog';
import { labPartnerConfig, type LabPartnerConfig } from '@pulsewire/labs';
import { connectors } from '@pulsewire/providers';
import { defineConfig, type ConfigFields, type ConfigOf } from '@pulsewire/runtime';
import { webhookConfig } from '@pulsewire/webhooks';
import { Type } from 'typebox';

/** Settings of the API, beside those of every process. */
export const apiConfigFields = defineConfig({
  host: { env: 'HOST', schema: Type.String({ format: 'host', default: '127.0.0.1' }), description: 'Address on which the API listens.' },
  port: {
    env: 'PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
    description: 'Port of the API; 0 picks a free one.',
  },
  ...databaseConfig,
  ...connectionsConfig({ minimum: 2, default: 10 }),
  ...linkConfig,
  ...encryptionConfig,
  linkTokenAloneAllowed: {
    env: 'LINK_TOKEN_ALONE_ALLOWED',
    schema: Type.Boolean({ default: false }),
    description: 'Lets browsers call the link endpoints with a link token and no key.',
  },
  ...labPartnerConfig,
  ...webhookConfig,
  ...retentionConfig,
  trustedProxies: {
    env: 'TRUSTED_PROXIES',
    schema: Type.Array(Type.String({ format: 'network' }), { default: [] }),
    defaultText: 'none',
    description:
      'Networks of proxies whose X-Forwarded-For header identifies the caller: for keys restricted to addresses, rate limits and the audit log.',
  },
  rateLimit: {
    env: 'API_RATE_LIMIT',
    schema: Type.Integer({ minimum: 0, maximum: 100_000, default: 50 }),
    unit: 'requests per second',
    description: 'Rate limit per API key unless the key has its own, with a burst of two seconds; 0 disables all rate limits of keys.',
  },
  sandboxUsersMax: {
    env: 'SANDBOX_USERS_MAX',
    schema: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 50 }),
    description: 'Maximum number of users of a sandbox team; deleted users do not count.',
  },
  samplesPerPage: {
    env: 'SAMPLES_PER_PAGE',
    schema: Type.Integer({ minimum: 1, maximum: 100_000, default: 10_000 }),
    description: 'Samples per page of grouped timeseries.',
  },
});

export type ApiConfig = Omit<ConfigOf<typeof apiConfigFields>, keyof EncryptionConfig | keyof LabPartnerConfig> &
  EncryptionConfig &
  LabPartnerConfig;

/** With the settings of every registered provider, as read by the API process. */
export const apiProcessFields: typeof apiConfigFields & ConfigFields = { ...apiConfigFields, ...providerConfigFields(connectors) };
