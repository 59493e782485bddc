import { describe, expect, it } from 'vitest';
import { mapExercise } from '../../polar/mappers/map-exercise.ts';
import { mapActivity } from '../../runkeeper/mappers/map-activity.ts';
import { createContext } from '../../runkeeper/runkeeper.ts';
import type { Summary } from '@pulsewire/contract';
import type { MappedRecords } from '../types/connector.ts';
import { createRecordMaker } from './record-maker.ts';
import { maximumHeartRate, withZones, zonesOfRanges } from './heart-rate-zones.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'UTC',
  providerUserId: '1',
  grantedScopes: [],
  account: {},
};
const zonesOf = ({ records }: MappedRecords) => records.flatMap((record) => (record.kind === 'summary' ? [record.data['hr_zones']] : []));
/** Born in 1980: a maximum of 174 in May 2026, and of 190 when the age is unknown. */
const known = { ...user, birthDate: '1980-01-01' };

describe('heart rate zones', () => {
  it('use 220 minus the age on the day of the workout, or minus 30 when the age is unknown', () => {
    expect(maximumHeartRate({ birthDate: '1980-05-02' }, '2026-05-01')).toBe(175);
    expect(maximumHeartRate({ birthDate: '1980-05-02' }, '2026-05-02')).toBe(174);
    expect(maximumHeartRate({ birthDate: null }, '2026-05-01')).toBe(190);
    expect(maximumHeartRate({ birthDate: '2030-01-01' }, '2026-05-01')).toBe(190);
  });

  it('are computed for Polar from the samples of an exercise', () => {
    const body = {
      id: 'x1',
      start_time: '2026-05-01T10:00:00',
      start_time_utc_offset: 0,
      duration: 'PT1M',
      sport: 'RUNNING',
      samples: [{ 'recording-rate': 10, 'sample-type': '0', data: '80,90,110,130,150,160' }],
    };
    expect(zonesOf(mapExercise(body, createRecordMaker('polar', known)))).toEqual([[10, 10, 10, 10, 10, 1]]);
    expect(zonesOf(mapExercise(body, createRecordMaker('polar', user)))).toEqual([[20, 10, 10, 10, 1, 0]]);
  });

  it('are computed for Runkeeper from the track of an activity', () => {
    const body = {
      uri: '/fitnessActivities/1',
      userID: 1,
      type: 'Running',
      start_time: 'Fri, 1 May 2026 10:00:00',
      utc_offset: 0,
      duration: 20,
      heart_rate: [
        { timestamp: 0, heart_rate: 100 },
        { timestamp: 10, heart_rate: 165 },
      ],
    };
    expect(zonesOf(mapActivity(body, createContext(known)))).toEqual([[0, 10, 0, 0, 0, 1]]);
    expect(zonesOf(mapActivity(body, createContext(user)))).toEqual([[0, 10, 0, 0, 1, 0]]);
  });

  it('keep the provider’s zones, count a pause as 30 s, and are absent without readings', () => {
    const workout = { kind: 'summary', id: 'x', resource: 'workouts', source: { provider: 'p', type: 'watch' }, at: 0, data: {} } as const;
    const of = (data: Summary['data'], stream: Parameters<typeof withZones>[2]) =>
      withZones({}, { ...workout, calendarDate: '2026-05-01', data }, stream).data['hr_zones'];
    expect(of({ hr_zones: [1, 2, 3, 4, 5, 6] }, { time: [0, 1], heartrate: [100, 100] })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(of({}, { time: [0, 300, 600], heartrate: [60, null, 60] })).toEqual([31, 0, 0, 0, 0, 0]);
    expect(of({}, { time: [0, 1] })).toBeUndefined();
  });

  it('divide a provider’s own range by width, and keep all of its time', () => {
    const of = (low: number, high: number) => zonesOfRanges([{ low, high, seconds: 600 }], 200);
    expect(of(30, 100)).toEqual([600, 0, 0, 0, 0, 0]);
    expect(of(100, 140)).toEqual([0, 300, 300, 0, 0, 0]);
    expect(of(170, 220)).toEqual([0, 0, 0, 0, 200, 400]);
    expect(of(210, 220)).toEqual([0, 0, 0, 0, 0, 600]);
    expect(of(150, 150)).toEqual([0, 0, 0, 600, 0, 0]);
  });

  it('are absent when a provider’s ranges have no time', () => {
    expect(zonesOfRanges([], 200)).toBeNull();
    expect(zonesOfRanges([{ low: 30, high: 100, seconds: 0 }], 200)).toBeNull();
  });
});
