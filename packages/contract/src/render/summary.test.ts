import { expect, test } from 'vitest';
import type { Summary } from '../records/records.ts';
import { missingSummaryFields, renderSummary } from './summary.ts';

const userId = '019b8f00-0000-7000-8000-000000000001';
const createdAt = Date.UTC(2026, 0, 5, 6);
const updatedAt = Date.UTC(2026, 0, 6, 6);

function summary(resource: string, data: Summary['data']): Summary {
  const source = { provider: 'fitbit', type: 'watch', appId: 'com.example' };
  return { kind: 'summary', id: '5b0f6b5e-4b0e-5d2c-9a67-3f1f0c9d2a10', resource, source, calendarDate: '2026-01-04', at: createdAt, data };
}

function render(resource: string, data: Summary['data']) {
  return renderSummary({ summary: summary(resource, data), userId, createdAt, updatedAt, sourceId: 16 });
}

test('renders id, user, source, day and times in addition to the data of the provider', () => {
  expect(render('activity', { steps: 9120 })).toMatchObject({
    id: '5b0f6b5e-4b0e-5d2c-9a67-3f1f0c9d2a10',
    user_id: userId,
    steps: 9120,
    calendar_date: '2026-01-04',
    date: '2026-01-04T00:00:00+00:00',
    source: { provider: 'fitbit', type: 'watch', app_id: 'com.example', device_id: null, sport: null, workout_id: null },
    created_at: '2026-01-05T06:00:00+00:00',
    updated_at: '2026-01-06T06:00:00+00:00',
  });
});

test('renders missing values as null, empty lists or empty maps, at every depth', () => {
  const activity = render('activity', { heart_rate: { avg_bpm: 70 } });
  expect(activity).toMatchObject({ distance: null, heart_rate: { avg_bpm: 70, min_bpm: null, resting_bpm: null } });
  const meal = render('meal', { name: 'Dinner', timestamp: 'x', macros: { carbs: 1 }, micros: {} });
  expect(meal).toMatchObject({ energy: null, data: {}, macros: { carbs: 1, fats: null }, micros: { minerals: {}, vitamins: {} } });
  expect(render('menstrual_cycle', {})).toMatchObject({ ovulation_test: [], is_predicted: false, period_end: null });
  expect(render('activity', { heart_rate: null })).toMatchObject({ heart_rate: null });
});

test('renders only keys of the contract, without deprecated keys of the source', () => {
  const activity = render('activity', { steps: 1, secret_of_provider: true });
  expect(activity).not.toHaveProperty('secret_of_provider');
  expect(Object.keys(activity['source'] as object)).toEqual(['provider', 'type', 'app_id', 'device_id', 'sport', 'workout_id']);
});

test('adds the flat source, the ids of a meal and the day of a profile', () => {
  expect(render('sleep_cycle', {})).toMatchObject({ source_provider: 'fitbit', source_type: 'watch', source_app_id: 'com.example' });
  expect(render('meal', {})).toMatchObject({ priority_id: 0, source_id: 16, provider_id: '5b0f6b5e-4b0e-5d2c-9a67-3f1f0c9d2a10' });
  expect(render('profile', { height: 171 })).toMatchObject({ date: '2026-01-06', height: 171 });
});

test("prefers the provider's own day to ours", () => {
  expect(render('body', { date: '2026-01-04T07:01:00+00:00' })).toMatchObject({ date: '2026-01-04T07:01:00+00:00' });
});

test('never lets the data of a summary override its id, user or source', () => {
  const forged = { id: 'x', user_id: 'x', source: 'x', created_at: 'x' };
  expect(render('activity', forged)).toMatchObject({
    user_id: userId,
    source: { provider: 'fitbit' },
    created_at: '2026-01-05T06:00:00+00:00',
  });
});

test('reports missing required fields of a summary before it is stored', () => {
  expect(missingSummaryFields(summary('activity', {}))).toEqual([]);
  expect(missingSummaryFields({ ...summary('activity', {}), calendarDate: null })).toEqual(['date', 'calendar_date']);
  expect(missingSummaryFields(summary('sleep_cycle', { session_start: 'x', session_end: 'y' }))).toEqual(['sleep_id']);
});
