import { defineConfig, type ConfigOf } from '@pulsewire/runtime';
import { Type } from 'typebox';

const address = { schema: Type.Optional(Type.String({ format: 'http-url' })), defaultText: 'none' } as const;
const secret = { schema: Type.Optional(Type.String({ minLength: 1 })), defaultText: 'none', secret: true } as const;
const slugs = { schema: Type.Array(Type.String(), { default: [] }), defaultText: 'none' } as const;
const signing = 'Signs its webhooks as in Standard Webhooks, `whsec_…`; without it none are accepted.';

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
  labPartnerUrl: {
    ...address,
    env: 'LAB_PARTNER_URL',
    description: 'Address of a lab, or of a company for several, with our interface for labs.',
  },
  labPartnerToken: { ...secret, env: 'LAB_PARTNER_TOKEN', description: 'Bearer token for the lab.' },
  labPartnerWebhookSecret: { ...secret, env: 'LAB_PARTNER_WEBHOOK_SECRET', description: signing },
  labPartnerLabs: { ...slugs, env: 'LAB_PARTNER_LABS', description: 'Slugs of the labs that receive orders there.' },
  kitPartnerUrl: { ...address, env: 'KIT_PARTNER_URL', description: 'Address of a company with our interface for sending test kits.' },
  kitPartnerToken: { ...secret, env: 'KIT_PARTNER_TOKEN', description: 'Bearer token for the company that sends test kits.' },
  kitPartnerWebhookSecret: { ...secret, env: 'KIT_PARTNER_WEBHOOK_SECRET', description: signing },
  kitPartnerLabs: { ...slugs, env: 'KIT_PARTNER_LABS', description: 'Slugs of the labs whose test kits it sends.' },
});

export type LabPartnerConfig = Partial<ConfigOf<typeof labPartnerConfig>>;

/** The settings by partner. */
export function partnerSettings(config: LabPartnerConfig) {
  const { getlabsUrl, getlabsClientId, getlabsApiToken, getlabsWebhookSecret } = config;
  const { labPartnerUrl, labPartnerToken, labPartnerWebhookSecret, labPartnerLabs } = config;
  const { kitPartnerUrl, kitPartnerToken, kitPartnerWebhookSecret, kitPartnerLabs } = config;
  return {
    getlabs: { baseUrl: getlabsUrl, clientId: getlabsClientId, apiToken: getlabsApiToken, webhookSecret: getlabsWebhookSecret },
    lab: { baseUrl: labPartnerUrl, token: labPartnerToken, webhookSecret: labPartnerWebhookSecret, labs: labPartnerLabs?.join(',') },
    kits: { baseUrl: kitPartnerUrl, token: kitPartnerToken, webhookSecret: kitPartnerWebhookSecret, labs: kitPartnerLabs?.join(',') },
  };
}
