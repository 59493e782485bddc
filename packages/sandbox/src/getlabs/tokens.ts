import { createHmac, randomBytes } from 'node:crypto';

/** The tokens of one client. */
export interface Tokens {
  /** The token pair of a grant; null: rejected. */
  grant(body: Readonly<Record<string, unknown>>): { readonly access_token: string; readonly refresh_token: string } | null;
  isValid(authorization: string | undefined): boolean;
  expire(how: 'access' | 'all'): void;
}

interface Client {
  readonly clientId: string;
  readonly apiToken: string;
  /** With and without a version. */
  readonly audiences: () => readonly string[];
}

function isSigned(assertion: string, { clientId, apiToken, audiences }: Client): boolean {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  const expected = createHmac('sha512', apiToken).update(`${header}.${claims}`).digest('base64url');
  if (signature !== expected) return false;
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: string };
  const { sub, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub?: string; aud?: string };
  return alg === 'HS512' && sub === clientId && audiences().includes(aud ?? '');
}

export function createTokens(client: Client): Tokens {
  const [access, refresh] = [new Set<string>(), new Set<string>()];
  const isGranted = ({ grant_type: type, assertion, refresh_token: token }: Readonly<Record<string, unknown>>): boolean => {
    if (type === 'refresh_token') return refresh.delete(String(token));
    return type === 'urn:ietf:params:oauth:grant-type:jwt-bearer' && isSigned(String(assertion), client);
  };
  return {
    grant(body) {
      if (!isGranted(body)) return null;
      const pair = { access_token: randomBytes(16).toString('hex'), refresh_token: randomBytes(16).toString('hex') };
      access.add(pair.access_token);
      refresh.add(pair.refresh_token);
      return pair;
    },
    isValid: (authorization) => access.has((authorization ?? '').replace(/^Bearer /, '')),
    expire(how) {
      access.clear();
      if (how === 'all') refresh.clear();
    },
  };
}
