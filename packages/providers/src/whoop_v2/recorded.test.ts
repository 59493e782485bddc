import { describe, expect, it } from 'vitest';
import type { Summary } from '@pulsewire/contract';
import { mapCycles } from './mappers/map-cycles.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { mapWorkouts } from './mappers/map-workouts.ts';
import { bySleep, readRecoveries } from './recoveries.ts';
import { sportSlugOf } from './sports.ts';
import { createContext } from './whoop.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '30398164',
  grantedScopes: [],
  account: {},
});
const window = { startDate: '2026-02-01', endDate: '2026-02-28' };
const owned = {
  user_id: 30_398_164,
  created_at: '2026-02-17T20:02:32.740Z',
  updated_at: '2026-02-17T20:02:32.740Z',
  timezone_offset: '+03:00',
};
const page = (...records: readonly object[]) => ({ records, next_token: null });
const dataOf = (records: readonly unknown[], resource: string) =>
  records.flatMap((record) =>
    (record as Summary).kind === 'summary' && (record as Summary).resource === resource ? [record as Summary] : [],
  );

// Shapes and orders of magnitude of responses of 2026.
describe('recorded WHOOP responses of 2026', () => {
  const id = '5d225f07-0000-4000-8000-000000000001';
  const night = {
    ...owned,
    id,
    cycle_id: 1_317_587_415,
    start: '2026-02-17T07:53:40.180Z',
    end: '2026-02-17T09:55:23.330Z',
    nap: false,
    score_state: 'SCORED',
    score: {
      stage_summary: {
        total_in_bed_time_milli: 7_303_150,
        total_awake_time_milli: 65_010,
        total_no_data_time_milli: 0,
        total_light_sleep_time_milli: 1_532_980,
        total_slow_wave_sleep_time_milli: 3_543_080,
        total_rem_sleep_time_milli: 2_162_080,
        sleep_cycle_count: 1,
        disturbance_count: 1,
      },
      respiratory_rate: 15.566406,
      sleep_performance_percentage: 27,
      sleep_efficiency_percentage: 99.587234,
    },
  };
  const recovery = {
    ...owned,
    cycle_id: 1_317_587_415,
    sleep_id: id,
    score_state: 'SCORED',
    score: {
      user_calibrating: false,
      recovery_score: 13,
      resting_heart_rate: 60,
      hrv_rmssd_milli: 128.51297,
      spo2_percentage: 96,
      skin_temp_celsius: 33.145668,
    },
  };

  it('maps a short night with stages that fill it, and the recovery of its morning', () => {
    const recoveries = bySleep(readRecoveries(page(recovery), []));
    const { records, quarantined } = mapSleep(page(night), recoveries, window, context);
    expect(quarantined).toEqual([]);
    expect(dataOf(records, 'sleep')[0]).toMatchObject({
      calendarDate: '2026-02-17',
      data: { duration: 7303, light: 1533, deep: 3543, rem: 2162, awake: 65, efficiency: 99.1, score: 27, recovery_readiness_score: 13 },
    });
    expect(records.flatMap((record) => (record.kind === 'samples' ? [record.resource, record.samples[0]?.value] : []))).toEqual([
      'respiratory_rate',
      15.566406,
      'hrv',
      128.51297,
      'blood_oxygen',
      96,
      'body_temperature',
      33.145668,
    ]);
  });

  it('maps a workout without a phone to no distance and no climb, rather than zero', () => {
    const workout = {
      ...owned,
      id: 'f9cf878c-0000-4000-8000-000000000002',
      start: '2026-02-14T20:52:30.700Z',
      end: '2026-02-14T21:08:59.690Z',
      sport_name: 'walking',
      score_state: 'SCORED',
      score: {
        strain: 6.788185,
        average_heart_rate: 132,
        max_heart_rate: 153,
        kilojoule: 768.7695,
        percent_recorded: 0.99999595,
        distance_meter: null,
        altitude_gain_meter: null,
        altitude_change_meter: null,
        zone_durations: {
          zone_zero_milli: 0,
          zone_one_milli: 259_990,
          zone_two_milli: 520_000,
          zone_three_milli: 209_000,
          zone_four_milli: 0,
          zone_five_milli: 0,
        },
      },
    };
    const { records, quarantined } = mapWorkouts(page(workout), window, context);
    expect(quarantined).toEqual([]);
    expect(dataOf(records, 'workouts')[0]).toMatchObject({
      calendarDate: '2026-02-14',
      data: { distance: null, total_elevation_gain: null, calories: 183.7, average_hr: 132, hr_zones: [0, 260, 520, 209, 0, 0] },
    });
  });

  it('skips items with a null score without quarantining them', () => {
    const unscored = (state: string) => ({ ...night, score_state: state, score: null });
    const cycle = { ...owned, id: 1_317_587_415, start: night.start, end: null, score_state: 'PENDING_SCORE', score: null };
    for (const state of ['PENDING_SCORE', 'UNSCORABLE'])
      expect(mapSleep(page(unscored(state)), new Map(), window, context)).toEqual({ records: [], quarantined: [] });
    expect(mapCycles(page(cycle), new Map(), window, context)).toEqual({ records: [], quarantined: [] });
  });

  it('maps sport names with hyphens or underscores', () => {
    const named = ['functional-fitness', 'weightlifting_msk', 'powerlifting', 'mountain-biking', 'table-tennis', 'spin', 'hiit'];
    expect(named.map(sportSlugOf)).toEqual([
      'circuit_training',
      'strength_training',
      'weightlifting',
      'mountain_biking',
      'table_tennis',
      'indoor_cycling',
      'interval_training',
    ]);
    expect(['reformer-pilates', 'muay-thai', 'jumping-rope', 'box-fitness'].map(sportSlugOf)).toEqual([
      'pilates',
      'martial_arts',
      'jumping_rope',
      'boxing',
    ]);
    expect(['activity', 'hot_tub', 'sauna'].map(sportSlugOf)).toEqual(['other', 'other', 'other']);
  });
});
