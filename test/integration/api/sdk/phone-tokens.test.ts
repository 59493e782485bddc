import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const days = 'start_date=2026-01-01&end_date=2026-01-31';
const HK = 'HKQuantityTypeIdentifier';

it('rejects a token of another user, and a key of another team', async () => {
  const [phone, other] = [await harness.newPhone(caller), await harness.newPhone(caller)];
  const stranger = await harness.newCaller();
  const path = `/api/v1/sdk/users/${phone.userId}/sync`;
  const body = { provider: 'apple', data: { records: [record(`${HK}BodyMass`, '2026-01-04T07:00:00Z', 71, 'kg')] } };
  const status = async (headers: Record<string, string>, to = path) => (await harness.bare('POST', to, body, headers)).status;
  expect(await status({})).toBe(401);
  expect(await status({ authorization: 'Bearer nonsense' })).toBe(401);
  for (const spelling of [`${phone.token}=`, `${phone.token}==`, `${phone.token.slice(0, -2)} ${phone.token.slice(-2)}`])
    expect(await status({ authorization: `Bearer ${spelling}` }), spelling).toBe(401);
  expect(await status({ authorization: `Bearer ${other.token}` })).toBe(403);
  expect(await status({ 'x-open-wearables-api-key': stranger.key })).toBe(404);
  expect(await status({ 'x-open-wearables-api-key': 'nonsense' })).toBe(401);
  expect(await status({ 'x-open-wearables-api-key': caller.key })).toBe(202);
  const credentials = { app_id: stranger.team.teamId, app_secret: stranger.key };
  expect((await harness.bare('POST', `/api/v1/users/${phone.userId}/token`, credentials)).status).toBe(404);
  const mixed = { app_id: caller.team.teamId, app_secret: stranger.key };
  expect((await harness.bare('POST', `/api/v1/users/${phone.userId}/token`, mixed)).status).toBe(401);
  await harness.work();
  const weights = (await caller.call('GET', `/v2/timeseries/${phone.userId}/weight/grouped?${days}`)).body;
  expect(Object.values(weights.groups).flat()).toHaveLength(1);
  expect((await stranger.call('GET', `/v2/timeseries/${phone.userId}/weight/grouped?${days}`)).status).toBe(404);
});

it('renews tokens even after a lost response, and rejects them once revoked', async () => {
  const phone = await harness.newPhone(caller);
  const refresh = (token: string) => harness.bare('POST', '/api/v1/token/refresh', { refresh_token: token });
  const lost = await refresh(phone.refreshToken);
  const renewed = await refresh(phone.refreshToken);
  expect([lost.status, renewed.status]).toEqual([200, 200]);
  expect(renewed.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
  const next = await refresh(renewed.body.refresh_token);
  expect(next.status).toBe(200);
  expect((await refresh(phone.refreshToken)).status).toBe(401);
  expect((await harness.bare('POST', '/api/v1/token/revoke', { refresh_token: next.body.refresh_token })).status).toBe(204);
  expect((await harness.bare('POST', '/api/v1/token/revoke', { refresh_token: next.body.refresh_token })).status).toBe(404);
  expect((await refresh(next.body.refresh_token)).status).toBe(401);
  expect((await phone.sync('apple', {})).status).toBe(401);
});

it('signs a phone in with a token that expires after an hour', async () => {
  const own = await createPhoneHarness(database.current);
  const owner = await own.newCaller();
  const { userId } = await own.newPhone(owner);
  const { body } = await owner.call('POST', `/v2/user/${userId}/sign_in_token`);
  expect(body.user_id).toBe(userId);
  const sync = () =>
    own.bare(
      'POST',
      `/api/v1/sdk/users/${userId}/sync`,
      { provider: 'google', data: {} },
      { authorization: `Bearer ${body.sign_in_token}` },
    );
  expect((await sync()).status).toBe(202);
  expect(await own.work()).toBe(1);
  own.clock.advance(61 * 60_000);
  expect((await sync()).status).toBe(401);
  await own.close();
});
