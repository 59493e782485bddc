import { at, exampleDay, exampleIds } from './example-ids.ts';
import type { Summary } from '../records/records.ts';

/** A dinner with one dish. */
const mealData: Summary['data'] = {
  timestamp: '2026-01-04T18:30:00+00:00',
  name: 'Dinner',
  energy: { unit: 'kcal', value: 620 },
  macros: { carbs: 70, protein: 32, fats: { saturated: 6, total: 21 }, fibre: 9, sugar: 12 },
  micros: { minerals: { sodium: 640 }, vitamins: { vitamin_c: 30 } },
  data: { 'Lentil stew': { energy: { unit: 'kcal', value: 620 } } },
};

function example(resource: string, provider: string, type: string, instant: string, data: Summary['data']): Summary {
  return {
    kind: 'summary',
    id: resource === 'sleep' ? exampleIds.sleep : exampleIds.summary,
    resource,
    source: { provider, type, deviceId: type === 'app' ? null : exampleIds.device },
    calendarDate: exampleDay,
    at: at(instant),
    data,
  };
}

const night = { session_start: '2026-01-03T22:40:00+00:00', session_end: '2026-01-04T06:20:00+00:00', time_zone: 'Europe/Lisbon' };

/** One summary of each kind, as returned by a mapper. */
export const summaryExamples: readonly Summary[] = [
  example('profile', 'fitbit', 'app', '07:00', { height: 171, birth_date: '1990-02-01', gender: 'female', sex: 'female' }),
  example('activity', 'fitbit', 'watch', '00:00', {
    calories_total: 2211.4,
    calories_active: 498.5,
    steps: 9120,
    distance: 6890.2,
    low: 181,
    medium: 37,
    high: 14,
    floors_climbed: 8,
    time_zone: 'Europe/Lisbon',
    timezone_offset: 0,
    heart_rate: { avg_bpm: 71, min_bpm: 48, max_bpm: 152, resting_bpm: 52 },
  }),
  example('sleep', 'fitbit', 'watch', '06:20', {
    bedtime_start: night.session_start,
    bedtime_stop: night.session_end,
    type: 'long_sleep',
    timezone_offset: 0,
    duration: 27_600,
    total: 25_200,
    awake: 2400,
    light: 13_800,
    rem: 6000,
    deep: 5400,
    hr_lowest: 46,
    efficiency: 91.3,
    latency: 540,
    state: 'confirmed',
  }),
  example('body', 'withings', 'scale', '07:01', { date: '2026-01-04T07:01:00+00:00', weight: 72.4, fat: 19.1, body_mass_index: 24.8 }),
  example('workouts', 'garmin', 'watch', '17:00', {
    title: 'Evening run',
    timezone_offset: 0,
    average_hr: 142,
    max_hr: 171,
    distance: 8020,
    time_start: '2026-01-04T17:00:00+00:00',
    time_end: '2026-01-04T17:45:00+00:00',
    calories: 560,
    sport: { id: 1, name: 'Running', slug: 'running' },
    hr_zones: [30, 120, 600, 1200, 650, 100],
    moving_time: 2640,
    average_speed: 3.04,
    steps: 7100,
    provider_id: '9297103021',
  }),
  example('meal', 'cronometer', 'app', '18:30', mealData),
  example('menstrual_cycle', 'apple_health_kit', 'app', '00:00', {
    period_start: '2026-01-02',
    period_end: '2026-01-06',
    menstrual_flow: [{ date: '2026-01-02', flow: 'medium' }],
    sexual_activity: [{ date: '2026-01-12', protection_used: true }],
    basal_body_temperature: [{ date: '2026-01-03', value: 36.4 }],
  }),
  example('sleep_cycle', 'fitbit', 'watch', '06:20', {
    sleep_id: exampleIds.sleep,
    ...night,
    stage_start_offset_second: [0, 540, 3600],
    stage_end_offset_second: [540, 3600, 7200],
    stage_type: [4, 2, 1],
  }),
  example('electrocardiogram', 'apple_health_kit', 'watch', '12:00', {
    session_start: '2026-01-04T12:00:00+00:00',
    session_end: '2026-01-04T12:00:30+00:00',
    voltage_sample_count: 15_360,
    heart_rate_mean: 68,
    sampling_frequency_hz: 512,
    classification: 'sinus_rhythm',
    algorithm_version: '2',
    time_zone: 'Europe/Lisbon',
  }),
];
