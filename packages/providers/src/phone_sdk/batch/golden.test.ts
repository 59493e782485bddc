import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { strangeBodies } from '../../kit/testing/describe-mappers.ts';
import { goldenText } from '../../kit/testing/golden-text.ts';
import { silentLosses } from '../../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../../kit/testing/sound-records.ts';
import { mapPhoneBatch, phoneProviderOf, readPhoneBatch } from './map-batch.ts';
import { cycleRows } from '../cycle-items.ts';
import { dayKinds, readingRows } from '../readings.ts';
import { seriesRows, typeName } from '../series.ts';
import { cycleRecords } from '../summaries/cycle-records.ts';
import { mealRecords } from '../summaries/meal-records.ts';
import { nightRecords, splitNights } from '../summaries/sleep-nights.ts';
import type { PhoneUser } from '../types.ts';

const names = ['apple', 'health-connect', 'samsung'] as const;
const urlOf = (file: string) => new URL(`../fixtures/${file}`, import.meta.url);

interface Envelope {
  readonly provider: string;
  readonly data: { readonly records: readonly { readonly type?: string | null }[] };
}
const read = async (name: string) => JSON.parse(await readFile(urlOf(`${name}.json`), 'utf8')) as Envelope;

/** What a batch becomes: its records, and the summaries that are made of it alone. */
function map(body: unknown, provider: unknown) {
  const batch = readPhoneBatch(body);
  const user: PhoneUser = {
    userId: 'b3f0c1de-0000-4000-8000-000000000001',
    provider: phoneProviderOf(provider) ?? 'apple_health_kit',
    timeZone: 'Europe/Lisbon',
    isZoneOfUser: true,
    birthDate: '1985-06-01',
    receivedAtMs: Date.parse('2026-01-24T00:00:00Z'),
  };
  if (!batch) return null;
  const { records, segments, cycleItems, readings, ...others } = mapPhoneBatch(batch, user);
  const nutrients = readings.filter(({ kind }) => !dayKinds.includes(kind));
  const meals = new Map(nutrients.map((one) => [`${one.sourceType} ${one.atMs}`, one]));
  const bySource = Map.groupBy(segments, ({ sourceType, appId }) => `${sourceType} ${appId}`);
  const nights = [...bySource.values()].flatMap((own) => splitNights(own).flatMap((night) => nightRecords(user, night)));
  return {
    records: [...records, ...nights, ...cycleRecords(user, cycleItems), ...mealRecords(user, [...meals.values()], nutrients)],
    readings: readings.filter(({ kind }) => dayKinds.includes(kind)),
    ...others,
  };
}

describe.each(names)('%s', (name) => {
  it('produces the records of its golden file', async () => {
    const body = await read(name);
    await expect(goldenText(map(body, body.provider))).toMatchFileSnapshot(urlOf(`${name}.expected.json`).pathname);
  });

  it('loses no record to an item that it cannot read without counting it', async () => {
    const { provider, ...body } = await read(name);
    const counted = (changed: unknown) => {
      const { records = [], leftOut = {} } = map(changed, provider) ?? {};
      const quarantined = Object.entries(leftOut).flatMap(([reason, count]) =>
        Array.from({ length: count }, (_, index) => ({ resource: 'phone', reason, pointer: `${reason}/${index}` })),
      );
      return { records, quarantined };
    };
    expect(counted(body).records).not.toEqual([]);
    expect(silentLosses(counted, body)).toEqual([]);
  });

  it('produces valid summaries and samples', async () => {
    const body = await read(name);
    const records = map(body, body.provider)?.records ?? [];
    expect(records).not.toEqual([]);
    expect(unsoundRecords(records)).toEqual([]);
  });
});

it.each(strangeBodies)('produces nothing from %j and does not throw', (body) => {
  expect(map(body, 'apple')).toBeNull();
});

it('has an item of every type that is read', async () => {
  const bodies = await Promise.all(names.map(read));
  const types = new Set(bodies.flatMap(({ data }) => data.records.map(({ type }) => typeName(type ?? ''))));
  const known = [seriesRows, readingRows, cycleRows].flatMap((rows) => Object.keys(rows));
  expect(known.filter((type) => !types.has(type))).toEqual([]);
});
