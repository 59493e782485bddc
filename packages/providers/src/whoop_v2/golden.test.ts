import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { goldenText, withoutRaw } from '../kit/testing/golden-text.ts';
import { silentLosses } from '../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { mapCycles, readWakeUpDays } from './mappers/map-cycles.ts';
import { mapMeasurement } from './mappers/map-measurement.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { mapWorkouts } from './mappers/map-workouts.ts';
import { bySleep, readRecoveries } from './recoveries.ts';
import { createContext } from './whoop.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '10129',
  grantedScopes: [],
  account: { time_zone: '-05:00', weight_kg: 90.7185, weight_day: '2025-04-02' },
});
const window = { startDate: '2025-04-01', endDate: '2025-04-03' };

async function readFixture(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
}

const recoveries = bySleep(readRecoveries(await readFixture('recovery'), []));
const wakeUpDays = new Map(readWakeUpDays(await readFixture('sleep'), context));

const mappers: Readonly<Record<string, (body: unknown) => MappedRecords>> = {
  sleep: (body) => mapSleep(body, recoveries, window, context),
  workouts: (body) => mapWorkouts(body, window, context),
  cycles: (body) => mapCycles(body, wakeUpDays, window, context),
  measurement: (body) => mapMeasurement(body, context),
};

describe.each(Object.entries(mappers))('%s', (name, map) => {
  it('returns the records of its golden file', async () => {
    const mapped = map(await readFixture(name));
    const file = new URL(`fixtures/${name}.expected.json`, import.meta.url).pathname;
    await expect(goldenText(mapped)).toMatchFileSnapshot(file);
  });

  it('loses no record to an item that it cannot read without setting something aside', async () => {
    expect(silentLosses(map, await readFixture(name))).toEqual([]);
  });

  it('keeps the part of the response that each summary was mapped from, unchanged', async () => {
    expect(withoutRaw(map(await readFixture(name)).records, await readFixture(name))).toEqual([]);
  });

  it('returns complete summaries, and samples of the shape of their series', async () => {
    const { records } = map(await readFixture(name));
    expect(records).not.toEqual([]);
    expect(unsoundRecords(records)).toEqual([]);
  });

  it.each([undefined, null, 7, 'text', [], {}, [null], { records: [null, 7, {}] }])('quarantines %j without failing', (body) => {
    const mapped = map(body);
    expect(mapped.records).toEqual([]);
    expect(mapped.quarantined).not.toEqual([]);
  });
});

describe('days', () => {
  it('assign a night to the local day on which it ended, and skip items outside the window', async () => {
    const night = (startDate: string, endDate: string) => mapSleep(sleeps, recoveries, { startDate, endDate }, context).records;
    const sleeps = await readFixture('sleep');
    expect(night('2025-04-02', '2025-04-02').filter(({ resource }) => resource === 'sleep')).toHaveLength(2);
    expect(night('2025-04-03', '2025-04-03')).toEqual([]);
  });

  it('assign a cycle without a known night to the day after its start', async () => {
    const daysOf = (records: MappedRecords['records']) => records.map((record) => record.kind === 'summary' && record.calendarDate);
    const cycles = await readFixture('cycles');
    expect(daysOf(mapCycles(cycles, new Map(), window, context).records)).toEqual(['2025-04-03', '2025-04-02']);
    expect(daysOf(mapCycles(cycles, new Map([['93845', '2025-04-01']]), window, context).records)).toEqual(['2025-04-03', '2025-04-01']);
  });

  it('include the weight only when the account contains its day', () => {
    const resourcesOf = (account: Readonly<Record<string, unknown>>) =>
      mapMeasurement({ height_meter: 1.8, weight_kilogram: 80 }, createContext({ ...context.user, account })).records.map(
        ({ resource }) => resource,
      );
    expect(resourcesOf({})).toEqual(['profile']);
    expect(resourcesOf({ weight_kg: 79, weight_day: '2025-04-01' })).toEqual(['profile']);
    expect(resourcesOf({ weight_kg: 80, weight_day: '2025-04-01' })).toEqual(['profile', 'body', 'weight']);
  });
});
