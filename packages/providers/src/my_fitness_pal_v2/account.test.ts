import { expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { readMyFitnessPalAccount } from './account.ts';

const now = new Date('2026-03-12T12:00:00Z');
const about = { grantedScopes: [], providerUserId: '2320694511409', now };

it('the zone of the account applies from its first reading on', async () => {
  const http = createFakeHttp(() => ({ item: { id: about.providerUserId, location_preferences: { time_zone: 'Asia/Tokyo' } } }));
  const first = await readMyFitnessPalAccount({ ...about, http });
  expect(first.account).toEqual({ user_id: '2320694511409', time_zones: [{ since: '2026-03-12', time_zone: 'Asia/Tokyo' }] });
  expect(http.paths).toEqual(['/v2/users/2320694511409?fields%5B%5D=location_preferences']);
});

it.each(['provider_scope_missing', 'provider_permanent'] as const)(
  'keeps the known account when the user cannot be read: %s',
  async (code) => {
    const http = createFakeHttp(() => {
      throw providerError(code, {});
    });
    const previous = { time_zones: [{ since: '2026-01-01', time_zone: 'Asia/Tokyo' }] };
    expect(await readMyFitnessPalAccount({ ...about, http, previous })).toEqual({
      providerUserId: about.providerUserId,
      account: { ...previous, user_id: about.providerUserId },
    });
  },
);

it('throws temporary errors, so that the account is read again', async () => {
  const http = createFakeHttp(() => {
    throw providerError('provider_transient', {});
  });
  await expect(readMyFitnessPalAccount({ ...about, http })).rejects.toMatchObject({ code: 'provider_transient' });
});
