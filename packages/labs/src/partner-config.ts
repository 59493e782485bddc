import { AppError, isVaried } from '@pulsewire/kernel';
import { Type } from 'typebox';
import { labSlugs } from './catalogue/seeds/labs.ts';

const address = { schema: Type.Optional(Type.String({ format: 'base-url' })), defaultText: 'none' } as const;
const secret = { schema: Type.Optional(Type.String({ minLength: 1 })), defaultText: 'none', secret: true } as const;
const bearer = { schema: Type.Optional(Type.String({ format: 'header-value' })) } as const;
const slugs = { schema: Type.Array(Type.String(), { default: [] }), defaultText: 'none' } as const;
const signing = 'Verifies its webhooks (Standard Webhooks, `whsec_…`); without it, they are rejected.';

/** Settings of partners of labs. */
export const labPartnerConfig = {
  getlabsUrl: {
    env: 'GETLABS_URL',
    schema: Type.Optional(Type.String({ format: 'base-url' })),
    defaultText: '`https://api.getlabs.com/v2`',
    description: 'Base URL of the Getlabs API, including its version; for tests, that of its sandbox.',
  },
  getlabsClientId: {
    env: 'GETLABS_CLIENT_ID',
    schema: Type.Optional(Type.String({ minLength: 1 })),
    defaultText: 'none',
    description: 'Client id at Getlabs. With it and the API token, non-sandbox teams book visits there.',
  },
  getlabsApiToken: {
    env: 'GETLABS_API_TOKEN',
    schema: Type.Optional(Type.String({ format: 'header-value' })),
    secret: true,
    defaultText: 'none',
    description: 'API token of Getlabs.',
  },
  getlabsWebhookSecret: {
    env: 'GETLABS_WEBHOOK_SECRET',
    schema: Type.Optional(Type.String({ minLength: 1 })),
    secret: true,
    defaultText: 'none',
    description: 'Verifies webhooks from Getlabs; without it, they are rejected.',
  },
  labPartnerUrl: {
    ...address,
    env: 'LAB_PARTNER_URL',
    description: 'Base URL of a lab, or of a company that serves several labs, that implements our HTTP interface for labs.',
  },
  labPartnerToken: { ...secret, ...bearer, env: 'LAB_PARTNER_TOKEN', description: 'Bearer token for the lab.' },
  labPartnerWebhookSecret: { ...secret, env: 'LAB_PARTNER_WEBHOOK_SECRET', description: signing },
  labPartnerLabs: { ...slugs, env: 'LAB_PARTNER_LABS', description: 'Slugs of the labs whose orders are sent there.' },
  kitPartnerUrl: {
    ...address,
    env: 'KIT_PARTNER_URL',
    description: 'Base URL of a company that sends test kits and implements our HTTP interface for that.',
  },
  kitPartnerToken: { ...secret, ...bearer, env: 'KIT_PARTNER_TOKEN', description: 'Bearer token for the company that sends test kits.' },
  kitPartnerWebhookSecret: { ...secret, env: 'KIT_PARTNER_WEBHOOK_SECRET', description: signing },
  kitPartnerLabs: { ...slugs, env: 'KIT_PARTNER_LABS', description: 'Slugs of the labs whose test kits it sends.' },
} as const;

/** The values of `labPartnerConfig`; a partner without them does not exist. */
export type LabPartnerConfig = {
  readonly getlabsUrl?: string | undefined;
  readonly getlabsClientId?: string | undefined;
  readonly getlabsApiToken?: string | undefined;
  readonly getlabsWebhookSecret?: string | undefined;
  readonly labPartnerUrl?: string | undefined;
  readonly labPartnerToken?: string | undefined;
  readonly labPartnerWebhookSecret?: string | undefined;
  readonly labPartnerLabs?: readonly string[] | undefined;
  readonly kitPartnerUrl?: string | undefined;
  readonly kitPartnerToken?: string | undefined;
  readonly kitPartnerWebhookSecret?: string | undefined;
  readonly kitPartnerLabs?: readonly string[] | undefined;
};

const pairs = [
  ['labPartnerUrl', 'labPartnerToken'],
  ['kitPartnerUrl', 'kitPartnerToken'],
  ['getlabsClientId', 'getlabsApiToken'],
] as const;
/** Settings that do nothing without another one. */
const dependents = [
  ['labPartnerLabs', 'labPartnerUrl'],
  ['labPartnerWebhookSecret', 'labPartnerUrl'],
  ['labPartnerUrl', 'labPartnerLabs'],
  ['kitPartnerLabs', 'kitPartnerUrl'],
  ['kitPartnerWebhookSecret', 'kitPartnerUrl'],
  ['kitPartnerUrl', 'kitPartnerLabs'],
  ['getlabsUrl', 'getlabsClientId'],
  ['getlabsWebhookSecret', 'getlabsClientId'],
] as const;
const whsec = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/;

/** Whether this is a secret of Standard Webhooks that nobody can guess. */
function isWebhookSecret(text: string): boolean {
  const key = Buffer.from(whsec.exec(text)?.[1] ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 && isVaried(key);
}

/** Throws AppError `config_invalid` when a partner is configured by half, with labs that do not exist, or with a secret of another form. */
export function checkPartners(config: LabPartnerConfig): void {
  const envOf = (key: keyof typeof labPartnerConfig) => labPartnerConfig[key].env;
  const problems = pairs.flatMap(([one, other]) => {
    if ((config[one] === undefined) === (config[other] === undefined)) return [];
    const [set, missing] = config[one] === undefined ? [other, one] : [one, other];
    return [`${envOf(set)} is set without ${envOf(missing)}: the partner needs both`];
  });
  const isSet = (key: keyof typeof labPartnerConfig) => (config[key]?.length ?? 0) > 0;
  for (const [key, needed] of dependents)
    if (isSet(key) && !isSet(needed)) problems.push(`${envOf(key)} has no effect without ${envOf(needed)}: set that too, or remove it`);
  for (const key of ['labPartnerLabs', 'kitPartnerLabs'] as const) {
    const repeated = (config[key] ?? []).filter((slug, place, all) => all.indexOf(slug) !== place);
    if (repeated.length > 0) problems.push(`${envOf(key)} names ${repeated.join(', ')} twice`);
    const unknown = (config[key] ?? []).filter((slug) => !labSlugs.includes(slug));
    if (unknown.length > 0) problems.push(`${envOf(key)} names no lab: ${unknown.join(', ')}; there are ${labSlugs.join(', ')}`);
  }
  for (const key of ['labPartnerWebhookSecret', 'kitPartnerWebhookSecret'] as const)
    if (config[key] !== undefined && !isWebhookSecret(config[key]))
      problems.push(
        `${envOf(key)} must be whsec_ and the base64 of 24 to 64 random bytes, such as the output of \`openssl rand -base64 32\``,
      );
  const { getlabsWebhookSecret: getlabs } = config;
  if (getlabs !== undefined && (!/^[\x21-\x7e]+$/.test(getlabs) || !isVaried(getlabs)))
    problems.push(
      `${envOf('getlabsWebhookSecret')} must be the secret that Getlabs shows, without blanks, with at least 10 different characters`,
    );
  if (problems.length > 0)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}

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
