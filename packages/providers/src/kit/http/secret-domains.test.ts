import { describe, expect, it } from 'vitest';
import { connectors } from '../../registry.ts';
import { withEndpoints } from './endpoints.ts';

/** The second domains of connectors that send secrets to more than one, and why. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  abbott_libreview: {
    'libreview.ru': 'Accounts in Russia are there, and only they.',
    'myfreestyle.cn': 'Accounts in China are there, and only they.',
  },
  freestyle_libre: {
    'libreview.ru': 'Accounts in Russia are there, and only they.',
    'myfreestyle.cn': 'Accounts in China are there, and only they.',
  },
  beurer_api: { 'beurer.com': 'The sign-in of Beurer; there is no address of the data unless an operator configures one for both.' },
  dexcom: { 'dexcom.jp': 'Accounts in Japan are there, and only they.' },
  google_health: { 'gstatic.com': 'It has the public keys of notifications and is sent no secret.' },
  hammerhead: { 'sram.com': 'Hammerhead belongs to SRAM, and its accounts sign in there.' },
  polar: { 'polarremote.com': 'The documented address of its tokens; the API has a domain of its own.' },
};

/** No provider has an address below a suffix of two labels, such as co.uk. */
const domainOf = (url: string) => new URL(url).hostname.split('.').slice(-2).join('.');

describe.each(connectors.map((connector) => [connector.slug, connector] as const))('%s', (slug, { endpoints }) => {
  it('sends tokens, passwords and client secrets to one registered domain', () => {
    const { apiBaseUrl, tokenUrl, revokeUrl, regionUrls = {}, linkDomain } = endpoints;
    const urls = [tokenUrl, revokeUrl, ...Object.values(regionUrls), ...(linkDomain === undefined ? [] : [`https://${linkDomain}`])];
    const domains = new Set([apiBaseUrl, ...urls.filter((url) => url !== null)].map(domainOf));
    domains.delete(domainOf(apiBaseUrl));
    expect([...domains].toSorted()).toEqual(Object.keys(exceptions[slug] ?? {}).toSorted());
  });
});

describe('an operator who moves the token endpoint', () => {
  const revoking = connectors.find(({ slug }) => slug === 'omron') ?? connectors[0];

  it('has no secret sent to the revocation endpoint of the place before', () => {
    const tokenUrl = 'https://eu-oauth.example/connect/token';
    expect(revoking && withEndpoints(revoking, { tokenUrl }).endpoints.revokeUrl).toBeNull();
    const revokeUrl = 'https://eu-oauth.example/connect/revocation';
    expect(revoking && withEndpoints(revoking, { tokenUrl, revokeUrl }).endpoints.revokeUrl).toBe(revokeUrl);
  });
});
