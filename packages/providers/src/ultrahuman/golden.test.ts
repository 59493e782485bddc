import { describe, expect, it } from 'vitest';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import type { PulledPage } from '../kit/types/connector.ts';
import { readUltrahumanAccount } from './account.ts';
import { ultrahuman } from './connector.ts';
import { mapDay } from './mappers/map-day.ts';
import { createContext } from './ultrahuman.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '42',
  grantedScopes: ['profile', 'ring_data', 'cgm_data'],
  account: { time_zone: 'America/New_York' },
};
const context = createContext(user);

describeMappers(import.meta.url, {
  // The list is of the day that was asked for; the map names its days.
  'day-list': (body) => mapDay(body, '2026-03-08', context),
  'day-map': (body) => mapDay(body, '2026-03-08', context),
});

describe('a window of days', () => {
  const [pull] = ultrahuman.pulls;
  const window = { startDate: '2026-03-08', endDate: '2026-03-10' };

  it('continues after a day that has no data', async () => {
    const http = createFakeHttp(({ query }) => {
      if (query?.['date'] === '2026-03-09') throw providerError('provider_permanent', { status: 404 });
      return { data: { metric_data: [{ type: 'hr', object: { values: [{ value: 60, timestamp: 1773040000 }] } }] } };
    });
    const pages: PulledPage[] = [];
    for await (const page of pull?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? []) pages.push(page);
    expect(pages).toHaveLength(2);
  });

  it('fails with a day that cannot be read', async () => {
    const http = createFakeHttp(() => {
      throw providerError('provider_permanent', { status: 400 });
    });
    await expect(async () => {
      for await (const page of pull?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? []) expect(page).toBeUndefined();
    }).rejects.toMatchObject({ code: 'provider_permanent' });
  });
});

describe('the account', () => {
  const read = (info: unknown, metrics: unknown) =>
    readUltrahumanAccount({
      http: createFakeHttp(({ path }) => (path === '/user_data/user_info' ? info : metrics)),
      grantedScopes: [],
      now: new Date('2026-03-10T12:00:00Z'),
    });

  it('is read from either place of the id, and its zone from the metrics where the user has none', async () => {
    expect(await read({ data: { id: 7 } }, { data: { latest_time_zone: 'Asia/Kolkata' } })).toEqual({
      providerUserId: '7',
      account: { time_zones: [{ since: '2026-03-10', time_zone: 'Asia/Kolkata' }] },
    });
    expect(await read({ user_id: 'u8', time_zone: 'Europe/Paris' }, undefined)).toMatchObject({ providerUserId: 'u8' });
    expect(await read({ user_id: 'u8' }, { data: { metric_data: [] } })).toEqual({ providerUserId: 'u8', account: {} });
  });

  it('has the zone of the day before when the present day states none', async () => {
    const http = createFakeHttp(({ path, query }) => {
      if (path === '/user_data/user_info') return { user_id: 'u8' };
      return query?.['date'] === '2026-03-09' ? { data: { latest_time_zone: 'Asia/Kolkata' } } : { data: { metric_data: [] } };
    });
    const facts = await readUltrahumanAccount({ http, grantedScopes: [], now: new Date('2026-03-10T12:00:00Z') });
    expect(facts.account).toEqual({ time_zones: [{ since: '2026-03-10', time_zone: 'Asia/Kolkata' }] });
    expect(http.calls).toHaveLength(3);
  });

  it('without a paired ring keeps the consent', () => {
    expect(ultrahuman.classify({ status: 403, headers: {}, body: undefined })).toEqual({ code: 'provider_account_state' });
  });
});
