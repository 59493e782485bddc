import type { CanonicalRecord, CompleteRange, Quarantined } from '@pulsewire/contract';
import type { PulledPage } from '@pulsewire/providers';
import { expect, test } from 'vitest';
import { openWholeReading } from './whole-reading.ts';

const range: CompleteRange = {
  kind: 'summaries',
  resource: 'workouts',
  sourceTypes: ['watch'],
  startDate: '2026-03-01',
  endDate: '2026-03-04',
};
const workout = (id: string): CanonicalRecord => ({
  kind: 'summary',
  id,
  resource: 'workouts',
  source: { provider: 'pebble', type: 'watch' },
  calendarDate: '2026-03-02',
  at: 0,
  data: {},
});
const aside: Quarantined = { resource: 'workouts', reason: 'missing_field', pointer: '/0' };
const page = (version: bigint, ids: readonly string[], more: Partial<PulledPage> = {}): PulledPage => ({
  version,
  records: ids.map(workout),
  quarantined: [],
  partOf: [range],
  ...more,
});

function read(pages: readonly PulledPage[], isContinued = false) {
  const reading = openWholeReading(isContinued);
  for (const one of pages) reading.add(one);
  return reading.end();
}

test('treats what any page of a reading contains or names as present, at its oldest version', () => {
  const whole = read([page(7n, ['a']), page(5n, ['b'], { named: [{ resource: 'workouts', id: 'c' }] })]);
  expect(whole).toMatchObject({ version: 5n, ranges: [range] });
  expect(whole?.records.map((record) => (record.kind === 'summary' ? record.id : record.kind))).toEqual(['a', 'b', 'c']);
});

test('removes nothing after a resumed reading', () => {
  expect(read([page(7n, ['a'])], true)).toBeNull();
});

test('removes nothing when a part of any page was quarantined', () => {
  expect(read([page(5n, ['a'], { quarantined: [aside] }), page(6n, ['b'])])).toBeNull();
  expect(read([page(5n, ['a']), page(6n, ['b'], { quarantined: [aside] })])).toBeNull();
});

test('removes what is missing although a part of a stream was quarantined', () => {
  expect(read([page(5n, ['a'], { quarantined: [{ ...aside, resource: 'workout_stream' }] })])).not.toBeNull();
});

test('removes nothing when part of a page could not be stored', () => {
  const reading = openWholeReading(false);
  reading.add(page(5n, ['a']));
  reading.markIncomplete();
  expect(reading.end()).toBeNull();
});

const heart: CompleteRange = { kind: 'samples', resource: 'heartrate', sourceTypes: ['watch'], fromMs: 0, toMs: 10 };
const beats = (resource: string, ts: number): CanonicalRecord => ({
  kind: 'samples',
  resource,
  source: { provider: 'pebble', type: 'watch' },
  samples: [{ ts, value: 60, timezoneOffset: 0 }],
});

test('keeps only the samples of series that were read completely', () => {
  const pages = [
    page(5n, [], { records: [beats('heartrate', 1), beats('hrv', 2)], partOf: [heart] }),
    page(6n, [], { records: [beats('heartrate', 3)] }),
  ];
  expect(read(pages)?.records).toEqual([beats('heartrate', 1), beats('heartrate', 3)]);
});

test('removes nothing when a series is declared complete after its samples were discarded', () => {
  expect(read([page(5n, [], { records: [beats('heartrate', 1)] }), page(6n, [], { partOf: [heart] })])).toBeNull();
});

test('removes nothing when no page declares a complete range', () => {
  expect(read([page(5n, ['a'], { partOf: [] }), { version: 6n, records: [], quarantined: [] }])).toBeNull();
});
