import { expect, it } from 'vitest';
import { readGoogleHealthAccount } from './account.ts';
import { identityScope } from './google-health.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { ProviderHttp } from '../kit/types/connector.ts';

const identity = { healthUserId: '1112', legacyUserId: 'ABC123' };
const refuses = () => Promise.reject(new Error('not expected'));

function respond(subject: object | null) {
  const asked: string[] = [];
  const http: ProviderHttp = {
    get(path, _query, options) {
      asked.push(`${options?.region ?? ''}${path}`);
      const body = path === '/v4/users/me/identity' ? identity : subject;
      if (body === null) return Promise.reject(providerError('provider_token_expired', {}));
      return Promise.resolve({ status: 200, headers: {}, body, bytes: Buffer.alloc(0), version: 1n });
    },
    post: refuses,
    put: refuses,
    delete: refuses,
  };
  return { http, asked };
}

it('names the Fitbit and the Google account of the person, and asks for the latter once', async () => {
  const { http, asked } = respond({ sub: '10769150350006150715113082367' });
  const first = await readGoogleHealthAccount({ http, grantedScopes: [identityScope] });
  const account = { legacy_user_id: 'ABC123', google_subject: '10769150350006150715113082367' };
  expect(first).toEqual({ providerUserId: '1112', account });
  expect(asked).toEqual(['/v4/users/me/identity', 'identity/v1/userinfo']);
  expect((await readGoogleHealthAccount({ http, grantedScopes: [identityScope], previous: account })).account).toEqual(account);
  expect(asked).toHaveLength(3);
});

it('is complete without the Google account when that is refused or its scope was not granted', async () => {
  const refused = respond(null);
  const account = { legacy_user_id: 'ABC123', google_subject: null };
  expect((await readGoogleHealthAccount({ http: refused.http, grantedScopes: [identityScope] })).account).toEqual(account);
  const ungranted = respond(null);
  expect((await readGoogleHealthAccount({ http: ungranted.http, grantedScopes: [] })).account).toEqual(account);
  expect(ungranted.asked).toEqual(['/v4/users/me/identity']);
});
