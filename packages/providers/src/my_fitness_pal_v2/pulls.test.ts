import { describe, expect, it } from 'vitest';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import type { ProviderHttp, PulledPage, RawPush } from '../kit/types/connector.ts';
import { diaryPull } from './pulls.ts';
import { createMyFitnessPalPush } from './push.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '7',
  grantedScopes: [],
  account: {},
};
const window = { startDate: '2026-03-12', endDate: '2026-03-12' };
const meal = (name: string) => ({ type: 'diary_meal', date: '2026-03-12', diary_meal: name, nutritional_contents: {} });

describe('the diary', () => {
  it('is read to the last page, which only the Link header names', async () => {
    const http = createFakeHttp(({ path }) => ({ items: [meal(path.includes('page_token') ? 'Dinner' : 'Lunch')] }));
    const get: ProviderHttp['get'] = async (path, ...rest) => {
      const link = path.includes('page_token') ? {} : { link: '</v2/diary?page_token=abc&max_items=100>; rel=next' };
      return { ...(await http.get(path, ...rest)), headers: link };
    };
    const pages: PulledPage[] = [];
    for await (const page of diaryPull.pull({ http: { ...http, get }, user, window, signal: AbortSignal.timeout(5000) })) pages.push(page);
    expect(pages.flatMap(({ records }) => records.map((record) => record.kind === 'summary' && record.data['name']))).toEqual([
      'Lunch',
      'Dinner',
    ]);
  });
});

describe('a notification', () => {
  const push = createMyFitnessPalPush({ subscriptionsPath: '/v2/subscriptions' });
  const noticesOf = (items: unknown) => {
    const raw: RawPush = { method: 'POST', headers: {}, query: {}, body: Buffer.from(JSON.stringify(items)) };
    return push.parse(raw).notices;
  };

  it('of a meal names its day, also where the parameter is misprinted', () => {
    const item = (query: string) => ({ user_id: '7', item_type: 'diary_meal', item_url: `/v2/diary?types=diary_meal&entry_date${query}` });
    const expected = { kind: 'changed', providerUserId: '7', collection: 'diary_meal', window };
    expect(noticesOf([item('=2026-03-12')])).toEqual([expected]);
    expect(noticesOf([item('&2026-03-12')])).toEqual([expected]);
  });

  it('of anything else names the item or nothing, and unknown types are ignored', () => {
    const items = [
      { user_id: '7', item_type: 'measurements', item_url: '/v2/measurements/5' },
      { user_id: '7', item_type: 'user_info', item_url: '/v2/users/7' },
      { user_id: '7', item_type: 'diary_sleep', item_url: '/v2/diary/9' },
    ];
    const notice = (collection: string, objectId: string) => ({ kind: 'object', providerUserId: '7', collection, objectId });
    expect(noticesOf(items)).toEqual([notice('measurements', '5'), notice('user_info', 'latest')]);
  });
});

describe('an entry that a notification names', () => {
  const now = new Date('2026-03-12T10:00:00Z');
  async function daysRead(found: unknown, objectId: string) {
    const http = createFakeHttp(({ path }) => (path.includes('?') ? { items: [] } : found));
    const call = { http, user, objectId, now, signal: AbortSignal.timeout(5000) };
    const pages: PulledPage[] = [];
    for await (const page of diaryPull.pullObject?.(call) ?? []) pages.push(page);
    return http.calls.flatMap(({ path }) => /entry_date=([\d-]+)/.exec(path)?.[1] ?? []);
  }

  it('has the diary of its day read, and no other', async () => {
    expect(await daysRead({ item: { id: 'e1', date: '2026-02-02' } }, 'e1')).toEqual(['2026-02-02']);
  });

  it('has the recent days read when it states no day', async () => {
    for (const [found, id] of [
      [{ item: { id: 'e1' } }, 'e1'],
      [{ items: [] }, 'latest'],
    ] as const)
      expect(await daysRead(found, id)).toHaveLength(9);
  });
});

describe('subscribing', () => {
  it('twice makes one subscription', async () => {
    const made: string[] = [];
    const http = createFakeHttp(({ method }) => {
      if (method === 'POST') made.push('subscription');
      return { items: made };
    });
    const call = { http, user, subscriptionId: 'a', address: null };
    const { subscribe } = createMyFitnessPalPush({ subscriptionsPath: '/v2/subscriptions' });
    await subscribe?.(call);
    await subscribe?.(call);
    expect(made).toHaveLength(1);
  });
});
