import { utcDay } from '@pulsewire/kernel';
import { expect, it } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { withinOwnDays } from './day-filters.ts';

const start = (day: string) => ({ day, ms: Date.parse(`${day}T00:00:00Z`) });
const source = { provider: 'p', type: 'watch' };
const summary = (resource: string, calendarDate: string | null): CanonicalRecord => ({
  kind: 'summary',
  id: String(calendarDate),
  resource,
  source,
  calendarDate,
  at: 0,
  data: {},
});
const marks = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'];
const samples: CanonicalRecord = {
  kind: 'samples',
  resource: 'steps',
  source,
  samples: marks.map((day) => ({ ts: start(day).ms, value: 1, timezoneOffset: 0 })),
};
const days = {
  steps: [
    { from: start('2026-03-10'), to: start('2026-03-11') },
    { from: start('2026-03-13'), to: null },
  ],
  sleep: [{ from: start('2026-03-11'), to: start('2026-03-13') }],
  weight: null,
};

function kept(records: readonly CanonicalRecord[], isSuccessor: boolean) {
  return withinOwnDays(records, { days, isSuccessor }).flatMap((record) => {
    if (record.kind === 'samples') return record.samples.map(({ ts }) => utcDay(ts));
    return record.kind === 'summary' ? [record.calendarDate] : [record.kind];
  });
}

it('leaves every day of a shared resource to exactly one of the two connections', () => {
  expect([kept([samples], true), kept([samples], false)]).toEqual([
    ['2026-03-10', '2026-03-13'],
    ['2026-03-11', '2026-03-12'],
  ]);
  const nights = marks.map((day) => summary('sleep', day));
  expect([kept(nights, true), kept(nights, false)]).toEqual([
    ['2026-03-11', '2026-03-12'],
    ['2026-03-10', '2026-03-13'],
  ]);
});

it('leaves a resource that was never handed over to the ending provider', () => {
  expect([kept([summary('weight', '2026-03-10')], true), kept([summary('weight', '2026-03-10')], false)]).toEqual([[], ['2026-03-10']]);
});

it('keeps what only one provider has, records without a day, and removals', () => {
  const always = [summary('hrv', '2026-03-10'), summary('sleep', null), { kind: 'summary_removal', resource: 'sleep', id: 'x' } as const];
  for (const isSuccessor of [true, false]) expect(kept(always, isSuccessor)).toEqual(['2026-03-10', null, 'summary_removal']);
});
