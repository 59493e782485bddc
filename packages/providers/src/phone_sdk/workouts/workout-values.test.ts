import { expect, it } from 'vitest';
import { movingTimeOf } from './workout-values.ts';

const segment = (type: string, from: string, to: string) => ({
  type,
  startDate: `2026-11-20T10:${from}:00Z`,
  endDate: `2026-11-20T10:${to}:00Z`,
  repetitions: 0,
});
const run = (...segments: readonly object[]) => ({ startDate: '2026-11-20T10:00:00Z', endDate: '2026-11-20T10:30:00Z', segments });

it('counts pauses that overlap, nest or reach beyond the workout once', () => {
  const pauses = [segment('PAUSE', '10', '15'), segment('PAUSE', '12', '18'), segment('pause', '11', '12'), segment('PAUSE', '28', '40')];
  expect(movingTimeOf(run(...pauses, segment('RUNNING', '00', '10')), 1800)).toBe(20 * 60);
  expect(movingTimeOf(run(...pauses.toReversed()), null)).toBe(20 * 60);
});

it('takes the stated length where no pause is listed, or where it leaves out more', () => {
  expect(movingTimeOf(run(segment('REST', '10', '15')), 1700)).toBe(1700);
  expect(movingTimeOf({ ...run(), segments: null }, null)).toBeNull();
  expect(movingTimeOf(run(segment('PAUSE', '10', '15')), 1200)).toBe(1200);
});
