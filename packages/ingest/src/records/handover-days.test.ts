import { describe, expect, it } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { withinHandover } from './day-filters.ts';

const bound = { day: '2026-03-13', ms: Date.parse('2026-03-12T23:00:00Z') };
const source = { provider: 'p', type: 'watch' };
const sample = (ms: number) => ({ ts: ms, value: 1, timezoneOffset: 3600 });
const summary = (calendarDate: string | null): CanonicalRecord => ({
  kind: 'summary',
  id: String(calendarDate),
  resource: 'activity',
  source,
  calendarDate,
  at: bound.ms,
  data: {},
});
const records: readonly CanonicalRecord[] = [
  { kind: 'samples', resource: 'steps', source, samples: [sample(bound.ms - 1), sample(bound.ms)] },
  summary('2026-03-12'),
  summary('2026-03-13'),
  summary(null),
  { kind: 'summary_removal', resource: 'activity', id: 'x' },
];

const shown = (kept: readonly CanonicalRecord[]) =>
  kept.map((record) => {
    if (record.kind === 'samples') return record.samples.map(({ ts }) => ts - bound.ms);
    return record.kind === 'summary' ? record.calendarDate : record.kind;
  });

describe('withinHandover', () => {
  it('leaves every dated record to exactly one of the two connections', () => {
    expect(shown(withinHandover(records, { start: null, end: bound }))).toEqual([[-1], '2026-03-12', null, 'summary_removal']);
    expect(shown(withinHandover(records, { start: bound, end: null }))).toEqual([[0], '2026-03-13', null, 'summary_removal']);
  });

  it('drops a group of samples of which nothing is left', () => {
    expect(withinHandover(records.slice(0, 1), { start: { ...bound, ms: bound.ms + 1 }, end: null })).toEqual([]);
  });
});
