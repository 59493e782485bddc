import { SignJWT } from 'jose';

/** How long an assertion is valid, in seconds. */
const lifeSeconds = 300;

/** The assertion of a token request: a JWT signed with the API token, valid for this service only and for a few minutes. */
export function signAssertion(
  { baseUrl, clientId, apiToken }: { readonly baseUrl: string; readonly clientId: string; readonly apiToken: string },
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return (
    new SignJWT()
      .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
      .setSubject(clientId)
      // The audience has no version, unlike the address of the endpoint.
      .setAudience(`${new URL(baseUrl).origin}/oauth/token`)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifeSeconds)
      .sign(Buffer.from(apiToken))
  );
}
