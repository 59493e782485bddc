import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import type { PulledPage, ProviderHttp } from '../kit/types/connector.ts';
import { createContext } from './cronometer.ts';
import { mapDiary } from './map-diary.ts';
import { diaryPull } from './pulls.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/Vancouver',
  providerUserId: '1234',
  grantedScopes: [],
  account: {},
};
const context = createContext(user);

describeMappers(import.meta.url, { diary: (body) => mapDiary(body, context) });

const macros = { kcal: 500, total_carbs: 60 };
const dayOf = (day: string) => ({ day, foods: [{ name: 'Lunch', macros, foods: [{ name: 'Soup', serving: '300 - g' }] }], nutrients: {} });

async function pull(http: ProviderHttp): Promise<PulledPage[]> {
  const pages: PulledPage[] = [];
  const window = { startDate: '2026-05-01', endDate: '2026-05-07' };
  const now = new Date('2026-05-07T20:00:00Z');
  for await (const page of diaryPull.pull({ http, user, window, now, signal: AbortSignal.timeout(10_000) })) pages.push(page);
  return pages;
}

const days = ['2026-05-02', '2026-05-04'];
const jsonOf = (http: { readonly calls: readonly { readonly path: string; readonly json?: unknown }[] }) =>
  http.calls.map(({ path, json }) => [path, json]);

describe('the diary', () => {
  it('reads the filled days of a window in one call', async () => {
    const http = createFakeHttp(({ path }) => (path === '/api_v1/data_summary' ? { days } : days.map(dayOf)));
    const [page] = await pull(http);
    expect(jsonOf(http)).toEqual([
      ['/api_v1/data_summary', { start: '2026-05-01', end: '2026-05-07' }],
      ['/api_v1/diary_summary', { start: '2026-05-02', end: '2026-05-04', food: true }],
    ]);
    expect(page).toMatchObject({ version: 1n, quarantined: [] });
    expect(page?.records.map(({ resource }) => resource)).toEqual(['meal', 'meal', 'carbohydrates']);
  });

  it('reads omitted days individually', async () => {
    const http = createFakeHttp(({ path, json }) => {
      if (path === '/api_v1/data_summary') return { days };
      const { day = '2026-05-02' } = json as { day?: string };
      return dayOf(day);
    });
    const [page] = await pull(http);
    expect(jsonOf(http).at(-1)).toEqual(['/api_v1/diary_summary', { day: '2026-05-04', food: true }]);
    expect(http.calls).toHaveLength(3);
    expect(page?.records.map(({ resource }) => resource)).toEqual(['meal', 'meal', 'carbohydrates']);
  });

  it.each([400, 422])('is read day by day when a range is refused with %i', async (status) => {
    const http = createFakeHttp(({ path, json }) => {
      if (path === '/api_v1/data_summary') return { days };
      const { day } = json as { day?: string };
      if (day === undefined) throw providerError('provider_permanent', { status });
      return dayOf(day);
    });
    const [page] = await pull(http);
    expect(page?.records.filter(({ resource }) => resource === 'meal')).toMatchObject(days.map((calendarDate) => ({ calendarDate })));
    expect(page?.quarantined).toEqual([]);
  });

  it('is read day by day when a range is answered by an error with status 200', async () => {
    const http = createFakeHttp(({ path, json }) => {
      if (path === '/api_v1/data_summary') return { days };
      const { day } = json as { day?: string };
      return day === undefined ? { error: 'unknown parameter' } : dayOf(day);
    });
    const [page] = await pull(http);
    expect(page?.records.filter(({ resource }) => resource === 'meal')).toHaveLength(2);
    expect(page?.quarantined).toEqual([]);
  });

  it('fails for any other refusal of a range', async () => {
    const http = createFakeHttp(({ path }) => {
      if (path === '/api_v1/data_summary') return { days };
      throw providerError('provider_transient', { status: 503 });
    });
    await expect(pull(http)).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it('takes vitamin A only from the retinol activity equivalent, whose unit is certain', () => {
    const undivided = { day: '2026-05-02', macros: { kcal: 500 }, nutrients: { 'Vitamin A': 3000 } };
    const vitaminsOf = (nutrients: object) =>
      mapDiary([{ ...undivided, nutrients: { ...undivided.nutrients, ...nutrients } }], context).records[0];
    expect(vitaminsOf({ 'Retinol Activity Equivalent': 640 })).toMatchObject({ data: { micros: { vitamins: { vitamin_a: 640 } } } });
    expect(vitaminsOf({})).not.toMatchObject({ data: { micros: { vitamins: { vitamin_a: expect.anything() as number } } } });
  });

  it('of a window without filled days is complete and empty', async () => {
    const http = createFakeHttp(() => ({ days: [], signup: '2020-01-01' }));
    const [page] = await pull(http);
    expect(http.calls).toHaveLength(1);
    expect(page).toMatchObject({ records: [], quarantined: [] });
    expect(page?.partOf?.map(({ resource }) => resource)).toEqual(['meal', 'water', 'caffeine', 'carbohydrates']);
  });

  it('removes nothing when the list of filled days cannot be read', async () => {
    const [page] = await pull(createFakeHttp(() => ({ days: ['2026-05-02', 'soon'], signup: null })));
    expect(page?.quarantined).toContainEqual({ resource: 'meal', reason: 'bad_time', pointer: '/days/1' });
  });
});
