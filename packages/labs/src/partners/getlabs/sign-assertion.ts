import { createHmac } from 'node:crypto';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The assertion of a token request: a JWT signed with the API token, valid for this service only and for a few minutes. */
export function signAssertion(
  { baseUrl, clientId, apiToken }: { readonly baseUrl: string; readonly clientId: string; readonly apiToken: string },
  now: Date,
): string {
  const issuedAt = Math.floor(now.getTime() / 1000);
  // The audience has no version, unlike the address of the endpoint.
  const claims = { sub: clientId, aud: `${new URL(baseUrl).origin}/oauth/token`, iat: issuedAt, exp: issuedAt + 300 };
  const signed = `${encode({ alg: 'HS512', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha512', apiToken).update(signed).digest('base64url')}`;
}
