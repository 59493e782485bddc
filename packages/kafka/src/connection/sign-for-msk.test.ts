import { generateAuthTokenFromCredentialsProvider } from 'aws-msk-iam-sasl-signer-js';
import { afterEach, expect, it, vi } from 'vitest';
import { signForMsk } from './sign-for-msk.ts';

const now = new Date('2026-01-04T10:00:00Z');
const region = 'eu-central-1';
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: "a-key/with+every=kind!'()*~" };

afterEach(() => void vi.useRealTimers());

/** The parameters of the signed request, without the name of the signer. */
function parametersOf(token: string): Readonly<Record<string, string>> {
  const url = new URL(Buffer.from(token, 'base64url').toString());
  expect(url.origin + url.pathname).toBe(`https://kafka.${region}.amazonaws.com/`);
  url.searchParams.delete('User-Agent');
  return Object.fromEntries(url.searchParams);
}

it.each([
  ['permanent credentials', keys],
  ['a session', { ...keys, sessionToken: 'session/token+with=(all)*' }],
  ['a session that ends soon', { ...keys, sessionToken: 'x', expiration: new Date(now.getTime() + 400_000) }],
])("a token for MSK equals that of AWS's own signer: %s", async (_case, credentials) => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  const theirs = await generateAuthTokenFromCredentialsProvider({ region, awsCredentialsProvider: async () => credentials });
  const ours = signForMsk(region, credentials, now);
  expect(parametersOf(ours.value)).toEqual(parametersOf(theirs.token));
  expect(ours.endsAtMs).toBe(theirs.expiryTime);
  expect(ours.value).toMatch(/^[\w-]+$/);
});

it('a token for MSK lives for whole seconds when credentials end between two', () => {
  const { value, endsAtMs } = signForMsk(region, { ...keys, expiration: new Date(now.getTime() + 400_789) }, now);
  expect(parametersOf(value)['X-Amz-Expires']).toBe('400');
  expect(endsAtMs).toBe(now.getTime() + 400_000);
});
