import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { mapTcxStream } from '../kit/records/tcx-stream.ts';
import { goldenText, withoutRaw } from '../kit/testing/golden-text.ts';
import { silentLosses } from '../kit/testing/silent-losses.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import { mapActivityDay, mapActivityRange } from './mappers/map-activity.ts';
import {
  distanceSeries,
  floorsSeries,
  mapCaloriesActive,
  mapCaloriesActiveTotals,
  mapCaloriesBasal,
  mapMovementDay,
  stepsSeries,
} from './mappers/map-minutes.ts';
import { createMapContext, type MapContext, type Mapped } from './context/map-context.ts';
import { mapCoreTemperature, mapFat, mapProfile, mapWeight } from './mappers/map-body.ts';
import { mapEcg, mapHeartrateDay, mapRhythmAlerts } from './mappers/map-heart.ts';
import { mapFoods } from './mappers/map-foods.ts';
import {
  bloodOxygenMinutes,
  hrvMinutes,
  mapBloodOxygen,
  mapHrv,
  mapNightMinutes,
  mapRespiratoryRate,
  mapSkinTemperature,
  mapVo2Max,
} from './mappers/map-night-values.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { mapWorkouts } from './mappers/map-workouts.ts';

const context = createMapContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'ABC123',
  grantedScopes: [],
  account: { time_zone: 'Europe/Berlin' },
});

const day = '2025-05-01';
const none: Mapped = { records: [], quarantined: [] };

function hasSteps(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && 'steps' in body;
}

const inPieces = (bodies: Record<string, unknown>) => Object.fromEntries(Object.entries(bodies).map(([field, body]) => [field, [body]]));

const mappers: Readonly<Record<string, (body: unknown, context: MapContext) => Mapped>> = {
  profile: mapProfile,
  'activity-day': (body) => mapActivityDay(body, day, context),
  'activity-range': (body) => mapActivityRange(inPieces(hasSteps(body) ? body : { steps: body }), context),
  sleep: mapSleep,
  'steps-minutes': (body) => mapMovementDay(body, stepsSeries, day, context),
  'steps-total': (body) => mapMovementDay(body, stepsSeries, day, context),
  'distance-minutes': (body) => mapMovementDay(body, distanceSeries, day, context),
  'floors-minutes': (body) => mapMovementDay(body, floorsSeries, day, context),
  'calories-minutes': (body) => mapCaloriesActive(body, 1650, day, context) ?? none,
  'calories-basal': mapCaloriesBasal,
  heartrate: (body) => mapHeartrateDay(body, day, context),
  workouts: (body) => mapWorkouts(body, { startDate: day, endDate: '2025-05-02' }, context),
  weight: mapWeight,
  fat: mapFat,
  hrv: mapHrv,
  'hrv-minutes': (body) => mapNightMinutes(body, hrvMinutes, context) ?? none,
  'blood-oxygen': mapBloodOxygen,
  'blood-oxygen-minutes': (body) => mapNightMinutes(body, bloodOxygenMinutes, context) ?? none,
  'respiratory-rate': mapRespiratoryRate,
  'skin-temperature': mapSkinTemperature,
  'core-temperature': mapCoreTemperature,
  'vo2-max': mapVo2Max,
  foods: (body) => mapFoods(body, day, context),
  ecg: (body) => mapEcg(body, { startDate: day, endDate: '2025-05-02' }, context),
  'rhythm-alerts': (body) => mapRhythmAlerts(body, { startDate: day, endDate: '2025-05-02' }, context),
};

async function readFixture(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
}

function fileUrl(name: string): string {
  return new URL(`fixtures/${name}.expected.json`, import.meta.url).pathname;
}

describe.each(Object.entries(mappers))('%s', (name, map) => {
  it('produces the records of its golden file', async () => {
    const mapped = map(await readFixture(name), context);
    await expect(goldenText(mapped)).toMatchFileSnapshot(fileUrl(name));
  });

  it('loses no record to an item that it cannot read without setting something aside', async () => {
    expect(silentLosses((body) => map(body, context), await readFixture(name))).toEqual([]);
  });

  it('keeps the part of the response that each summary was mapped from, unchanged', async () => {
    expect(withoutRaw(map(await readFixture(name), context).records, await readFixture(name))).toEqual([]);
  });

  it('produces valid summaries and samples', async () => {
    const { records } = map(await readFixture(name), context);
    expect(records).not.toEqual([]);
    expect(unsoundRecords(records)).toEqual([]);
  });

  it.each([undefined, null, 7, 'text', [], {}, [null], { sleep: {} }])('produces no record from %j and does not throw', (body) => {
    expect(map(body, context).records).toEqual([]);
  });
});

describe('mapCaloriesActiveTotals', () => {
  it('returns the energy of a day without its basal part', () => {
    const body = { 'activities-activityCalories': [{ dateTime: day, value: '900' }] };
    const { records } = mapCaloriesActiveTotals(body, context);
    expect(records).toMatchObject([{ resource: 'calories_active', samples: [{ value: 900, timezoneOffset: 7200 }] }]);
  });
});

describe('heart-rate zones of a workout', () => {
  const zonesOf = (heartRateZones: unknown, birthDate: string | null = null) => {
    const log = { logId: 1, startTime: `${day}T10:00:00.000+02:00`, duration: 600_000, heartRateZones };
    const mapped = mapWorkouts({ activities: [log] }, { startDate: day, endDate: day }, { ...context, birthDate });
    return { quarantined: mapped.quarantined, zones: mapped.records.map((record) => record.kind === 'summary' && record.data['hr_zones']) };
  };

  it('are divided by the maximum heart rate of the user’s age', () => {
    const zones = [{ name: 'Fat Burn', min: 90, max: 126, minutes: 10, caloriesOut: 1 }];
    expect(zonesOf(zones, '1985-05-01').zones).toEqual([[0, 300, 300, 0, 0, 0]]);
    expect(zonesOf(zones).zones).toEqual([[83, 317, 200, 0, 0, 0]]);
  });

  it('are quarantined when unreadable, and the workout is kept', () => {
    expect(zonesOf([{ min: 90, max: 'x', minutes: 10 }])).toEqual({
      zones: [null],
      quarantined: [{ resource: 'workouts', reason: 'bad_number', pointer: '/activities/0/heartRateZones/0/max' }],
    });
  });
});

it('produces the stream of its golden file from a TCX file and the workout that it belongs to', async () => {
  const urlOf = (file: string) => new URL(`fixtures/${file}`, import.meta.url);
  const workouts: unknown = JSON.parse(await readFile(urlOf('workouts.json'), 'utf8'));
  const [workout] = mapWorkouts(workouts, { startDate: day, endDate: '2025-05-02' }, context).records;
  if (workout?.kind !== 'summary') throw new Error('The fixture has no workout.');
  const stream = mapTcxStream(await readFile(urlOf('workout-stream.tcx'), 'utf8'), workout, []);
  const text = goldenText({ records: [stream], quarantined: [] });
  await expect(text).toMatchFileSnapshot(urlOf('workout-stream.expected.json').pathname);
});
