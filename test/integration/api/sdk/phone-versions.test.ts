import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record, type Phone } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const weight = (value: number, time = '2026-01-04T07:00:00Z') => record('HKQuantityTypeIdentifierBodyMass', time, value, 'kg');
const isConnected = async (userId: string, slug = 'apple_health_kit') => {
  const { providers } = (await caller.call('GET', `/v2/user/providers/${userId}`)).body;
  return (providers as { slug: string; status: string }[]).some((own) => own.slug === slug && own.status === 'connected');
};
const weightsOf = async (userId: string) => {
  const { groups } = (await caller.call('GET', `/v2/timeseries/${userId}/weight/grouped?start_date=2026-01-01&end_date=2026-01-31`)).body;
  const own = Object.values(groups as Record<string, { data: { value: number }[] }[]>).flat();
  return own.flatMap(({ data }) => data.map(({ value }) => value));
};
const signOut = ({ userId, token }: Phone, provider: string) =>
  harness.bare('DELETE', `/api/v1/users/${userId}/connections/${provider}`, undefined, { authorization: `Bearer ${token}` });

it.each([
  ['apple', 'apple_health_kit'],
  ['google', 'health_connect'],
  ['samsung', 'samsung_health'],
])('disconnects the health store of %s when its phone signs out, once or again', async (provider, slug) => {
  const phone = await harness.newPhone(caller);
  await phone.sync(provider, {});
  await harness.work();
  expect(await isConnected(phone.userId, slug)).toBe(true);
  expect((await signOut(phone, provider)).status).toBe(204);
  expect(await isConnected(phone.userId, slug)).toBe(false);
  expect((await signOut(phone, provider)).status).toBe(204);
});

it('stores what a phone sent before its sign-out, and stays connected if it signed in again', async () => {
  const [gone, back] = [await harness.newPhone(caller), await harness.newPhone(caller)];
  for (const phone of [gone, back]) {
    await phone.sync('apple', { records: [weight(71)] });
    await harness.work();
    await phone.sync('apple', { records: [weight(72, '2026-01-05T07:00:00Z')] });
    expect((await signOut(phone, 'apple')).status).toBe(204);
  }
  await back.sync('apple', { records: [weight(73, '2026-01-06T07:00:00Z')] });
  await harness.work();
  expect([await isConnected(gone.userId), await weightsOf(gone.userId)]).toEqual([false, [71, 72]]);
  expect([await isConnected(back.userId), await weightsOf(back.userId)]).toEqual([true, [71, 72, 73]]);
});

it('signs out only the user of the token, and only health stores of phones', async () => {
  const [phone, other] = [await harness.newPhone(caller), await harness.newPhone(caller)];
  await phone.sync('apple', {});
  await harness.work();
  expect((await signOut({ ...phone, token: other.token }, 'apple')).status).toBe(403);
  expect((await signOut({ ...phone, token: 'nonsense' }, 'apple')).status).toBe(401);
  expect((await signOut(phone, 'oura')).status).toBe(400);
  expect(await isConnected(phone.userId)).toBe(true);
});

it('accepts an access token without the word Bearer, as older iPhones send it', async () => {
  const { userId, token } = await harness.newPhone(caller);
  const send = (authorization: string) =>
    harness.bare('POST', `/api/v1/sdk/users/${userId}/sync`, { provider: 'apple', data: { records: [weight(71)] } }, { authorization });
  expect([(await send(token)).status, (await send('nonsense')).status]).toEqual([202, 401]);
  await harness.work();
  expect(await weightsOf(userId)).toEqual([71]);
});

it('accepts the path and the items of the first iPhone SDKs, which name no provider', async () => {
  const { userId, token } = await harness.newPhone(caller);
  const source = { name: 'Watch', bundleIdentifier: 'com.apple.health.1', productType: 'Watch6,2', deviceModel: 'Watch' };
  const item = (type: string, startDate: string, endDate: string, more: object) => ({
    uuid: crypto.randomUUID(),
    type,
    startDate,
    endDate,
    source,
    recordMetadata: [{ key: 'HKTimeZone', value: 'Europe/Berlin' }],
    ...more,
  });
  const [early, late] = ['2026-01-04T07:00:00Z', '2026-01-04T08:00:00Z'];
  const sleepType = 'HKCategoryTypeIdentifierSleepAnalysis';
  const data = {
    records: [item('HKQuantityTypeIdentifierBodyMass', early, early, { value: 71, unit: 'kg' })],
    sleep: [item(sleepType, early, late, { value: 4, unit: null })],
    workouts: [item('running', early, late, { workoutStatistics: [{ type: 'distance', value: 5000, unit: 'm' }] })],
  };
  const sent = await harness.bare('POST', `/api/v1/sdk/users/${userId}/sync/apple`, { data }, { authorization: token });
  expect(sent.status).toBe(202);
  await harness.work();
  expect(await weightsOf(userId)).toEqual([71]);
  const read = async (name: string) => (await caller.call('GET', `/v2/summary/${name}/${userId}?start_date=2026-01-01`)).body[name];
  expect(await read('workouts')).toMatchObject([{ distance: 5000, timezone_offset: 3600, source: { type: 'watch' } }]);
  expect(await read('sleep')).toMatchObject([{ deep: 3600 }]);
});

it('accepts compressed bodies, up to the same size', async () => {
  const { userId, token } = await harness.newPhone(caller);
  const headers = { authorization: `Bearer ${token}`, 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const url = `/api/v1/sdk/users/${userId}/sync`;
  const send = async (payload: Buffer) => (await harness.api.app.inject({ method: 'POST', url, headers, payload })).statusCode;
  const batch = JSON.stringify({ provider: 'apple', data: { records: [weight(71)] } });
  expect(await send(gzipSync(batch))).toBe(202);
  expect(await send(Buffer.from(batch))).toBe(400);
  expect(await send(gzipSync(`"${'x'.repeat(21 * 1024 * 1024)}"`))).toBe(413);
  await harness.work();
  expect(await weightsOf(userId)).toEqual([71]);
});
