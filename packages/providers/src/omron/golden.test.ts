import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { findOmronRefusal } from './connector.ts';
import { mapActivity } from './map-activity.ts';
import { mapBloodPressure } from './map-blood-pressure.ts';
import { createWeightMapper } from './map-weight.ts';
import { type MeasurementMapper, mapList } from './measured.ts';
import { createContext } from './omron.ts';
import { createPulls } from './pulls.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'sub-1',
  grantedScopes: [],
  account: {},
};
const window = { startDate: '2024-11-17', endDate: '2024-11-18' };
const context = createContext(user);
const withoutUnit = { weightUnit: '' };
const mapped = (key: string, resource: string, map: MeasurementMapper) => (body: unknown) =>
  mapList(body, { key, resource, map }, window, context);

describeMappers(import.meta.url, {
  bloodpressure: mapped('bloodPressure', 'blood_pressure', mapBloodPressure),
  weight: mapped('weight', 'body', createWeightMapper(withoutUnit)),
  activity: mapped('activity', 'activity', mapActivity),
});

it('uses the configured unit for weights without a unit', () => {
  const item = { id: '1', dateTime: '2024-11-17T12:00:00Z', dateTimeUtcOffset: '+01:00', weight: '100' };
  const weightIn = (weightUnit: string) => {
    const { records } = mapped('weight', 'body', createWeightMapper({ weightUnit }))({ result: { weight: [item] } });
    return records.flatMap((record) => (record.kind === 'samples' ? record.samples.map(({ value }) => value) : []));
  };
  expect([weightIn(''), weightIn('kg'), weightIn('lb')]).toEqual([[], [100], [45.359]]);
});

describe('pages', () => {
  const item = (id: number, day: string) => ({
    id,
    dateTime: `${day}T12:00:00Z`,
    dateTimeUtcOffset: '+01:00',
    systolic: 120,
    diastolic: 80,
    pulse: 60,
  });
  const [pressures] = createPulls(withoutUnit);
  async function read(pages: readonly object[]) {
    const forms: Readonly<Record<string, string>>[] = [];
    const http = createFakeHttp(({ form = {} }) => {
      forms.push(form);
      return { status: 0, result: pages[forms.length - 1] ?? {} };
    });
    for await (const page of pressures?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? [])
      expect(page.quarantined).toEqual([]);
    return forms;
  }

  it('are requested from a day before the window, oldest first', async () => {
    expect(await read([{ bloodPressure: [item(1, '2024-11-17')] }])).toEqual([
      { since: '2024-11-16', type: 'bloodpressure', limit: '100', sortOrder: 'asc' },
    ]);
  });

  it('follow either kind of key, or the last date if a list was cut without one', async () => {
    const first = { bloodPressure: [item(1, '2024-11-17')] };
    const last = { bloodPressure: [item(2, '2024-11-18')] };
    expect((await read([{ ...first, paginationKey: { bloodpressurePaginationKey: 'k1' } }, last]))[1]).toMatchObject({
      bloodpressurePaginationKey: 'k1',
    });
    expect((await read([{ ...first, nextPaginationKey: 'k2' }, last]))[1]).toMatchObject({ paginationKey: 'k2' });
    expect((await read([{ ...first, truncated: true }, last]))[1]).toMatchObject({ since: '2024-11-17' });
  });

  it('end when one contains nothing new', async () => {
    const page = { bloodPressure: [item(1, '2024-11-17')], nextPaginationKey: 'again' };
    expect(await read([page, page, page])).toHaveLength(2);
  });
});

it('finds errors in responses of status 200', () => {
  const judge = (body: unknown) => findOmronRefusal({ status: 200, headers: {}, body })?.code ?? null;
  expect([judge({ status: 0 }), judge({ status: 1, reason: 'invalid token' }), judge({ status: 7, reason: null })]).toEqual([
    null,
    'provider_token_expired',
    'provider_transient',
  ]);
});
