import { defineConfig, type ConfigOf } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of partners of labs. */
export const labPartnerConfig = defineConfig({
  getlabsUrl: {
    env: 'GETLABS_URL',
    schema: Type.Optional(Type.String({ format: 'http-url' })),
    defaultText: '`https://api.getlabs.com/v2`',
    description: 'Address of Getlabs with its version; that of its sandbox for tests.',
  },
  getlabsClientId: {
    env: 'GETLABS_CLIENT_ID',
    schema: Type.Optional(Type.String({ minLength: 1 })),
    defaultText: 'none',
    description: 'Client id at Getlabs. With it and the API token, teams that are no sandboxes book visits there.',
  },
  getlabsApiToken: {
    env: 'GETLABS_API_TOKEN',
    schema: Type.Optional(Type.String({ minLength: 1 })),
    secret: true,
    defaultText: 'none',
    description: 'API token of Getlabs.',
  },
  getlabsWebhookSecret: {
    env: 'GETLABS_WEBHOOK_SECRET',
    schema: Type.Optional(Type.String({ minLength: 1 })),
    secret: true,
    defaultText: 'none',
    description: 'Signs webhooks of Getlabs; without it none are taken.',
  },
});

export type LabPartnerConfig = Partial<ConfigOf<typeof labPartnerConfig>>;

/** The settings by partner. */
export function partnerSettings(config: LabPartnerConfig) {
  const { getlabsUrl, getlabsClientId, getlabsApiToken, getlabsWebhookSecret } = config;
  return { getlabs: { baseUrl: getlabsUrl, clientId: getlabsClientId, apiToken: getlabsApiToken, webhookSecret: getlabsWebhookSecret } };
}
