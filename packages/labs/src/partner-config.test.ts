import { expect, it } from 'vitest';
import { checkPartners, type LabPartnerConfig } from './partner-config.ts';

function problemsOf(config: LabPartnerConfig): readonly string[] {
  try {
    checkPartners(config);
  } catch (error) {
    return (error as { details: { problems: string[] } }).details.problems;
  }
  return [];
}

const url = 'https://lab.example';
const [lab, kits] = [
  { labPartnerUrl: url, labPartnerToken: 't', labPartnerLabs: ['quest'] },
  { kitPartnerUrl: url, kitPartnerToken: 't', kitPartnerLabs: ['quest'] },
];
const both = { ...lab, ...kits };
const secretOf = (bytes: number) => `whsec_${Buffer.from([...Array(bytes).keys()]).toString('base64')}`;
const secret = secretOf(32);

it('accepts partners that are configured completely, and none', () => {
  expect(problemsOf({})).toEqual([]);
  const complete = { labPartnerUrl: url, labPartnerToken: 't', labPartnerLabs: ['quest'], labPartnerWebhookSecret: secret };
  expect(
    problemsOf({ ...complete, getlabsUrl: url, getlabsWebhookSecret: 'getlabs-secret', getlabsClientId: 'id', getlabsApiToken: 't' }),
  ).toEqual([]);
});

it('refuses a partner that is configured by half, and names the setting that is missing', () => {
  expect(problemsOf({ labPartnerUrl: url, labPartnerLabs: ['quest'], kitPartnerToken: 't', getlabsClientId: 'id' })).toEqual([
    'LAB_PARTNER_URL is set without LAB_PARTNER_TOKEN: the partner needs both',
    'KIT_PARTNER_TOKEN is set without KIT_PARTNER_URL: the partner needs both',
    'GETLABS_CLIENT_ID is set without GETLABS_API_TOKEN: the partner needs both',
  ]);
});

it('refuses labs that do not exist, and secrets that no webhook could be verified with', () => {
  expect(problemsOf({ ...both, labPartnerLabs: ['quest', 'nolab'], kitPartnerWebhookSecret: 'notwhsec' })).toEqual([
    expect.stringMatching(/^LAB_PARTNER_LABS names no lab: nolab; there are .*quest/),
    expect.stringContaining('KIT_PARTNER_WEBHOOK_SECRET must be whsec_ and the base64 of 24 to 64 random bytes'),
  ]);
});

it.each([24, 25, 26, 64])('accepts a webhook secret of %i random bytes, with and without padding', (bytes) => {
  for (const labPartnerWebhookSecret of [secretOf(bytes), secretOf(bytes).replace(/=+$/, '')])
    expect(problemsOf({ ...lab, labPartnerWebhookSecret })).toEqual([]);
});

it.each([
  ['of zeros', `whsec_${Buffer.alloc(32).toString('base64')}`],
  ['of 23 bytes', secretOf(23)],
  ['of 65 bytes', secretOf(65)],
  ['that is cut off', secret.slice(0, 6 + 33)],
  ['without its mark', secret.slice(6)],
])('refuses a webhook secret %s', (_, labPartnerWebhookSecret) => {
  expect(problemsOf({ ...lab, labPartnerWebhookSecret })).toEqual([
    expect.stringContaining('LAB_PARTNER_WEBHOOK_SECRET must be whsec_ and the base64 of 24 to 64 random bytes'),
  ]);
});

it.each([' ', 'a secret with blanks', 'aaaaaaaaaaaaaaaaaaaaaaaa'])(
  'refuses the secret %j for the webhooks of Getlabs',
  (getlabsWebhookSecret) => {
    expect(problemsOf({ getlabsClientId: 'id', getlabsApiToken: 't', getlabsWebhookSecret })).toEqual([
      expect.stringContaining('GETLABS_WEBHOOK_SECRET must be the secret that Getlabs shows'),
    ]);
  },
);

it('refuses settings that do nothing without another one, and labs that are named twice', () => {
  const alone = { labPartnerLabs: ['quest'], kitPartnerWebhookSecret: secret, getlabsUrl: url, getlabsWebhookSecret: 'getlabs-secret' };
  expect(problemsOf(alone)).toEqual([
    'LAB_PARTNER_LABS has no effect without LAB_PARTNER_URL: set that too, or remove it',
    'KIT_PARTNER_WEBHOOK_SECRET has no effect without KIT_PARTNER_URL: set that too, or remove it',
    'GETLABS_URL has no effect without GETLABS_CLIENT_ID: set that too, or remove it',
    'GETLABS_WEBHOOK_SECRET has no effect without GETLABS_CLIENT_ID: set that too, or remove it',
  ]);
  expect(problemsOf({ ...both, labPartnerLabs: undefined })).toEqual([
    'LAB_PARTNER_URL has no effect without LAB_PARTNER_LABS: set that too, or remove it',
  ]);
  expect(problemsOf({ ...both, kitPartnerLabs: ['quest', 'quest'] })).toEqual(['KIT_PARTNER_LABS names quest twice']);
});
