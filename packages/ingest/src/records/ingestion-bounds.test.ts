import { describe, expect, it } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { withinBounds } from './day-filters.ts';

const source = { provider: 'wristband', type: 'watch' };
const summary = (calendarDate: string | null): CanonicalRecord => ({
  kind: 'summary',
  id: 'b3f0c1de-0000-4000-8000-000000000001',
  resource: calendarDate === null ? 'profile' : 'workouts',
  source,
  calendarDate,
  at: Date.parse(calendarDate ?? '2020-01-01'),
  data: {},
});
const samples = (...days: string[]): CanonicalRecord => ({
  kind: 'samples',
  resource: 'steps',
  source,
  samples: days.map((day) => ({ ts: Date.parse(`${day}T10:00:00Z`), value: 1, timezoneOffset: 0 })),
});
const stream = (day: string): CanonicalRecord => ({
  kind: 'stream',
  resource: 'workout_stream',
  workoutId: 'b3f0c1de-0000-4000-8000-000000000001',
  providerId: '1',
  sport: null,
  source,
  data: { time: [Date.parse(`${day}T10:00:00Z`) / 1000] },
});
const bounds = { ingestionStart: '2026-03-10', ingestionEnd: '2026-03-12' };

describe('the ingestion bounds of a user', () => {
  it('exclude summaries, samples and streams of other days, with one day of tolerance', () => {
    const days = ['2026-03-08', '2026-03-09', '2026-03-12', '2026-03-13', '2026-03-14'];
    const inside = days.slice(1, 4);
    expect(withinBounds(days.map(summary), bounds)).toEqual(inside.map(summary));
    expect(withinBounds(days.map(stream), bounds)).toEqual(inside.map(stream));
    expect(withinBounds([samples(...days), samples('2026-03-14')], bounds)).toEqual([samples(...inside)]);
  });

  it('may be open at either end', () => {
    expect(withinBounds([summary('2020-01-01')], { ...bounds, ingestionStart: null })).toHaveLength(1);
    expect(withinBounds([summary('2030-01-01')], { ...bounds, ingestionEnd: null })).toHaveLength(1);
  });

  it('do not apply to records without a day, nor to removals', () => {
    const removal: CanonicalRecord = { kind: 'summary_removal', resource: 'workouts', id: 'b3f0c1de-0000-4000-8000-000000000001' };
    expect(withinBounds([summary(null), removal], bounds)).toEqual([summary(null), removal]);
  });
});
