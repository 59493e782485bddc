import { describe, expect, it } from 'vitest';
import { daysCompleted, syncedUntil } from './context/last-sync.ts';
import { mapActivityDay, mapActivityRange } from './mappers/map-activity.ts';
import { mapCaloriesActive, mapCaloriesBasal, mapMovementDay, mapMovementTotals, stepsSeries } from './mappers/map-minutes.ts';
import { createMapContext, type MapContext, type Mapped } from './context/map-context.ts';

const tracker = (time: string) => ({ id: '1', type: 'TRACKER', model: 'Charge 6', last_sync_time: time });

function contextOf(...devices: readonly object[]): MapContext {
  const account = { time_zone: 'Europe/Berlin', devices };
  const userId = 'b3f0c1de-0000-4000-8000-000000000001';
  return createMapContext({ userId, fallbackTimeZone: null, providerUserId: 'ABC123', grantedScopes: [], account });
}

const clock = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
const minutes = (series: string, until: number, value: (minute: number) => number) => ({
  [`activities-${series}-intraday`]: {
    dataset: Array.from({ length: until }, (_, minute) => ({ time: clock(minute), value: value(minute) })),
  },
});
const last = ({ records: [record] }: Mapped) =>
  record?.kind === 'samples' ? new Date(record.samples.at(-1)?.end ?? 0).toISOString() : null;
const steps = (context: MapContext, until = 1440) =>
  mapMovementDay(
    minutes('steps', until, (m) => (m < 700 ? 5 : 0)),
    stepsSeries,
    '2025-05-01',
    context,
  );

describe('minutes after the last sync', () => {
  it('are not stored, neither of the current day nor of a past one', () => {
    for (const until of [900, 1440])
      expect(last(steps(contextOf(tracker('2025-05-01T12:00:30.000')), until))).toBe('2025-05-01T10:00:00.000Z');
  });

  it('are not stored when they contain the basal rate', () => {
    const body = minutes('calories', 1440, (minute) => (minute < 720 ? 3 : 1));
    const mapped = mapCaloriesActive(body, 1440, '2025-05-01', contextOf(tracker('2025-05-01T12:00:00.000')));
    expect(last(mapped ?? { records: [], quarantined: [] })).toBe('2025-05-01T10:00:00.000Z');
  });

  it('are determined by the newest sync of all trackers, not of scales', () => {
    const devices = [
      tracker('2025-05-01T12:00:00.000'),
      tracker('2025-04-01T12:00:00.000'),
      { ...tracker('2025-05-02T12:00:00.000'), type: 'SCALE' },
    ];
    expect(last(steps(contextOf(...devices)))).toBe('2025-05-01T10:00:00.000Z');
  });

  it('are the inactive minutes at the end of the current day when no tracker is known', () => {
    expect(last(steps(contextOf(), 900))).toBe('2025-05-01T09:40:00.000Z');
    const calories = mapCaloriesActive(
      minutes('calories', 900, (m) => (m < 700 ? 3 : 1.001)),
      1440,
      '2025-05-01',
      contextOf(),
    );
    expect(last(calories ?? { records: [], quarantined: [] })).toBe('2025-05-01T09:40:00.000Z');
  });

  it('begin with the first pass of a repeated hour', () => {
    const account = { time_zone: 'Europe/Berlin', devices: [tracker('2025-10-26T02:30:00.000')] };
    expect(syncedUntil(account, null)).toBe(Date.parse('2025-10-26T00:30:00Z'));
  });
});

describe('a day without any sync', () => {
  const context = contextOf(tracker('2025-04-30T22:00:00.000'));

  it('has no total and no summary', () => {
    const list = [{ dateTime: '2025-05-01', value: '0' }];
    expect(mapMovementTotals({ 'activities-steps': list }, stepsSeries, context).records).toEqual([]);
    expect(mapCaloriesBasal({ 'activities-caloriesBMR': [{ dateTime: '2025-05-01', value: '700' }] }, context).records).toEqual([]);
    expect(mapActivityDay({ summary: { steps: 0, caloriesOut: 700 } }, '2025-05-01', context).records).toEqual([]);
    expect(mapActivityRange({ steps: [{ 'activities-steps': list }] }, context).records).toEqual([]);
  });

  it('includes manually entered values', () => {
    expect(mapActivityDay({ summary: { steps: 900 } }, '2025-05-01', context).records).toHaveLength(1);
    expect(
      mapMovementTotals({ 'activities-steps': [{ dateTime: '2025-05-01', value: '900' }] }, stepsSeries, context).records,
    ).toHaveLength(1);
  });
});

describe('a sync after a gap', () => {
  const now = new Date('2025-05-20T10:00:00Z');
  const accountOf = (time: string) => ({ time_zone: 'Europe/Berlin', devices: [tracker(time)] });

  it('completes the days since the previous sync', () => {
    const days = daysCompleted(accountOf('2025-05-08T09:00:00.000'), accountOf('2025-05-20T09:00:00.000'), now);
    expect(days).toEqual({ startDate: '2025-05-08', endDate: '2025-05-20' });
  });

  it('of two days completes them at once, instead of at the next poll that reads so far back', () => {
    const days = daysCompleted(accountOf('2025-05-18T09:00:00.000'), accountOf('2025-05-20T09:00:00.000'), now);
    expect(days).toEqual({ startDate: '2025-05-18', endDate: '2025-05-20' });
  });

  it('leaves out the days that polls read again anyway', () => {
    expect(daysCompleted(accountOf('2025-05-19T09:00:00.000'), accountOf('2025-05-20T09:00:00.000'), now)).toBeUndefined();
    expect(daysCompleted({}, accountOf('2025-05-20T09:00:00.000'), now)).toBeUndefined();
    expect(daysCompleted(accountOf('2025-05-08T09:00:00.000'), {}, now)).toBeUndefined();
  });
});
