import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { responsesFor, createFakeHttp } from '../kit/testing/fake-http.ts';
import type { PulledPage, ProviderHttp } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { runkeeper } from './connector.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapBackground, mapMeasurements, mapWeights } from './mappers/map-measurements.ts';
import { mapProfile } from './mappers/map-profile.ts';
import { createContext, parseRunkeeperTime } from './runkeeper.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/New_York',
  providerUserId: '24207205',
  grantedScopes: [],
  account: {},
};
const context = createContext(user);
const itemsOf = (body: unknown) => new JsonNode(body).at('items').itemsOrNone();

describeMappers(import.meta.url, {
  activity: (body) => mapActivity(body, context),
  'activity-old': (body) => mapActivity(body, context),
  weights: (body) => mapWeights(itemsOf(body), context),
  background: (body) => mapBackground(itemsOf(body), context),
  measurements: (body) => mapMeasurements(itemsOf(body), context),
  profile: (body) => mapProfile(body, context),
});

const activity = JSON.parse(await readFile(new URL('fixtures/activity.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, unknown>
>;

describe('an activity', () => {
  it.each([{ is_live: true }, { duration: 0 }, { userID: 7 }])('with %j is left out', (changed) => {
    expect(mapActivity({ ...activity, ...changed }, context)).toEqual({ records: [], quarantined: [] });
  });

  it('keeps its day when the zone of the user is another than its own', () => {
    expect(mapActivity({ ...activity, start_time: 'Fri, 24 Jul 2015 00:30:00' }, context).records[0]).toMatchObject({
      calendarDate: '2015-07-24',
      data: { timezone_offset: 7200, time_start: '2015-07-23T22:30:00+00:00' },
    });
  });
});

describe('a track', () => {
  it('loses only the point that has no place', () => {
    const [start, pause, end] = [
      { timestamp: 0, latitude: 52, longitude: 13, type: 'start' },
      { timestamp: 20, type: 'pause' },
      { timestamp: 60, latitude: 52.1, longitude: 13, type: 'end' },
    ];
    const { records, quarantined } = mapActivity({ ...activity, path: [start, pause, end], distance: [], heart_rate: [] }, context);
    const stream = records.find(({ kind }) => kind === 'stream');
    expect(stream?.kind === 'stream' && stream.data).toMatchObject({ lat: [52, 52.1], lng: [13, 13] });
    expect(quarantined).toEqual([{ resource: 'workout_stream', reason: 'missing_field', pointer: '/path/1/latitude' }]);
  });
});

describe('a wall clock', () => {
  it.each([
    ['Thu, 7 Oct 2010 07:00:00', Date.UTC(2010, 9, 7, 7)],
    ['Fri, 31 Feb 2015 16:02:13', undefined],
    ['2015-07-24T16:02:13', undefined],
  ])('%s is read without a zone', (text, expected) => {
    expect(parseRunkeeperTime(text)).toBe(expected);
  });
});

const [activities, weight] = runkeeper.pulls;

async function pull(spec: typeof activities, http: ProviderHttp): Promise<PulledPage[]> {
  const pages: PulledPage[] = [];
  const window = { startDate: '2015-07-01', endDate: '2015-07-30' };
  for await (const page of spec?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? []) pages.push(page);
  return pages;
}

describe('a feed', () => {
  it('of one page shows what was deleted, one of several does not', async () => {
    const item = { uri: '/fitnessActivities/465161536', start_time: activity['start_time'], utc_offset: 2 };
    const feed = (next: unknown) => ({ '/fitnessActivities': { size: 1, items: [item], next }, '/fitnessActivities/465161536': activity });
    const [whole] = await pull(activities, createFakeHttp(responsesFor(feed(''))));
    expect(whole?.partOf).toHaveLength(1);
    const more = { ...feed('/more?page=1'), '/more': { items: [] } };
    const pages = await pull(activities, createFakeHttp(responsesFor(more)));
    expect(pages.flatMap(({ partOf }) => partOf ?? [])).toEqual([]);
    expect(pages.flatMap(({ records }) => records.map(({ resource }) => resource))).toEqual(['workouts', 'workout_stream']);
  });

  it('that the vendor has not opened lacks a permission, a rejected list means no access', async () => {
    const refused = createFakeHttp(() => {
      throw providerError('provider_scope_missing', { status: 403 });
    });
    await expect(pull(weight, refused)).rejects.toMatchObject({ code: 'provider_scope_missing' });
    await expect(pull(activities, refused)).rejects.toMatchObject({ code: 'provider_token_expired' });
  });
});

describe('too many calls', () => {
  it.each([
    ['Applications are limited to 100 calls every 2 hours', 7_200_000],
    ['Slow down', 900_000],
  ])('reads how long to wait from "%s"', (text, retryAfterMs) => {
    const response = { status: 429, headers: {}, body: undefined, bytes: Buffer.from(text) };
    expect(runkeeper.classify(response)).toEqual({ code: 'provider_rate_limited', retryAfterMs });
  });
});
