import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { goldenText, withoutRaw } from '../kit/testing/golden-text.ts';
import { silentLosses } from '../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import type { MappedRecords } from '../kit/types/connector.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapAthlete } from './mappers/map-athlete.ts';
import { mapStreams } from './mappers/map-streams.ts';
import { createContext, zoneNameOf } from './strava.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '134815',
  grantedScopes: [],
  account: { weight_kg: 61.5, weight_day: '2025-05-01' },
});

async function readFixture(name: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

const activity = await readFixture('activity');
const streams = await readFixture('streams');

const mappers: Readonly<Record<string, (body: unknown) => MappedRecords>> = {
  activity: (body) => mapActivity(body, context),
  'activity-manual': (body) => mapActivity(body, context),
  streams: (body) => mapStreams(body, activity, context),
  athlete: (body) => mapAthlete(body, context),
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

  it('returns complete summaries and streams', async () => {
    const { records } = map(await readFixture(name));
    expect(records).not.toEqual([]);
    expect(unsoundRecords(records)).toEqual([]);
  });

  it.each([undefined, null, 7, 'text', [], {}, [null], { time: { data: 'x' } }])('returns nothing for %j', (body) => {
    expect(map(body).records).toEqual([]);
  });
});

describe('the day and the clock of an activity', () => {
  const dayOf = (body: object) => mapActivity(body, context).records.map((record) => record.kind === 'summary' && record.calendarDate);

  it('come from the offset, never from the local start with its wrong Z', () => {
    expect(dayOf(activity)).toEqual(['2025-05-02']);
    expect(dayOf({ ...activity, start_date_local: '2020-01-01T00:00:00Z' })).toEqual(['2025-05-02']);
    expect(dayOf({ ...activity, start_date: undefined })).toEqual([]);
  });

  it('come from the zone’s name without an offset, because its bracket ignores summer time', () => {
    expect(dayOf({ ...activity, utc_offset: undefined })).toEqual(['2025-05-02']);
    expect(dayOf({ ...activity, utc_offset: undefined, timezone: undefined })).toEqual(['2025-05-01']);
    const offsetOf = (body: object) => mapActivity({ ...activity, utc_offset: undefined, ...body }, context).records[0];
    const old = { start_date: '2012-12-13T03:43:19Z', timezone: '(GMT-08:00) America/Los_Angeles' };
    expect(offsetOf(old)).toMatchObject({ calendarDate: '2012-12-12', data: { timezone_offset: -28_800 } });
    expect(offsetOf({ ...old, start_date: '2012-07-13T03:43:19Z' })).toMatchObject({ data: { timezone_offset: -25_200 } });
    expect(offsetOf({ timezone: undefined })).toMatchObject({ data: { timezone_offset: null } });
    expect(zoneNameOf('(GMT-03:30) America/St_Johns')).toBe('America/St_Johns');
    expect(zoneNameOf('(GMT+01:00) Nowhere/Else')).toBeNull();
    expect(zoneNameOf('Europe/Berlin')).toBeNull();
  });
});

describe('streams', () => {
  const mapped = (changed: object) => mapStreams({ ...streams, ...changed }, activity, context);

  it('lose only the channel, the value or the point that cannot be read', () => {
    const reasonsOf = (changed: object) => mapped(changed).quarantined;
    const dataOf = (changed: object) => mapped(changed).records.flatMap((record) => (record.kind === 'stream' ? [record.data] : []))[0];
    expect(Object.keys(dataOf({ watts: { data: [1, 2, 3, 4] } }) ?? {})).toEqual(expect.arrayContaining(['time', 'heartrate']));
    expect(dataOf({ heartrate: { data: [1, 'x', 3] } })?.heartrate).toEqual([1, null, 3]);
    expect(dataOf({ time: { data: [0, 3, 1] }, heartrate: { data: [1, 2, 3] } })?.heartrate).toEqual([1, 3, 2]);
    expect(dataOf({ time: { data: [0, 'x', 2] }, heartrate: { data: [1, 2, 3] } })?.heartrate).toEqual([1, 3]);
    expect(reasonsOf({ watts: { data: [1, 2, 3, 4] } })).toEqual([
      { resource: 'workout_stream', reason: 'unknown_shape', pointer: '/watts/data' },
    ]);
    expect(reasonsOf({ time: { data: [0, 3, 1] } })).toEqual([{ resource: 'workout_stream', reason: 'bad_time', pointer: '/time/data' }]);
    expect(reasonsOf({ heartrate: { data: [1, 'x', 3] } })).toMatchObject([{ reason: 'bad_number', pointer: '/heartrate/data/1' }]);
    expect(reasonsOf({ latlng: { data: [[1, 2], 7, null] } })).toMatchObject([{ reason: 'unknown_shape' }, { reason: 'unknown_shape' }]);
  });

  it('are empty when the activity has no time', () => {
    expect(mapStreams({}, activity, context)).toEqual({ records: [], quarantined: [] });
  });
});
