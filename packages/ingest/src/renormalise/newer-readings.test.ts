import type { CanonicalRecord, CompleteRange, Quarantined } from '@pulsewire/contract';
import type { PulledPage } from '@pulsewire/providers';
import { expect, test } from 'vitest';
import { openNewerReadings, type NewerReadings } from './newer-readings.ts';

const source = { provider: 'pebble', type: 'watch' };
const night = (id: string, day = '2026-03-02'): CanonicalRecord => ({
  kind: 'summary',
  id,
  resource: 'sleep',
  source,
  calendarDate: day,
  at: 0,
  data: {},
});
const beats = (...times: number[]): CanonicalRecord => ({
  kind: 'samples',
  resource: 'heartrate',
  source,
  samples: times.map((ts) => ({ ts, value: 60, timezoneOffset: 0 })),
});
const nights: CompleteRange = {
  kind: 'summaries',
  resource: 'sleep',
  sourceTypes: ['watch'],
  startDate: '2026-03-01',
  endDate: '2026-03-03',
};
const heart = (fromMs: number, toMs: number): CompleteRange => ({
  kind: 'samples',
  resource: 'heartrate',
  sourceTypes: ['watch'],
  fromMs,
  toMs,
});
const page = (records: readonly CanonicalRecord[], more: Partial<PulledPage> = {}): PulledPage => ({
  version: 1n,
  records,
  quarantined: [],
  ...more,
});
const aside: Quarantined = { resource: 'sleep', reason: 'missing_field', pointer: '/0' };

function read(newer: NewerReadings, pages: readonly PulledPage[], isContinued = false): void {
  const reading = newer.open('c1', isContinued);
  for (const one of pages) reading.add(one);
  reading.end();
}
const idsOf = ({ records }: PulledPage) => records.flatMap((record) => (record.kind === 'summary' ? [record.id] : []));

test('drops an older night only when a newer reading of the day neither contains nor names it', () => {
  const newer = openNewerReadings();
  read(newer, [page([night('edited')], { partOf: [nights], named: [{ resource: 'sleep', id: 'unscored' }] }), page([night('nap')])]);
  const older = page([night('before'), night('edited'), night('unscored'), night('nap'), night('elsewhere', '2026-03-04')]);
  expect(idsOf(newer.without('c1', older))).toEqual(['edited', 'unscored', 'nap', 'elsewhere']);
  expect(newer.without('c2', older)).toBe(older);
});

test('uses the newest reading of a day', () => {
  const newer = openNewerReadings();
  read(newer, [page([night('new')], { allOf: [nights] })]);
  read(newer, [page([night('old')], { allOf: [nights] })]);
  expect(idsOf(newer.without('c1', page([night('old'), night('new')])))).toEqual(['new']);
});

test('drops the stream of a dropped workout', () => {
  const newer = openNewerReadings();
  read(newer, [page([], { allOf: [nights] })]);
  const stream = (workoutId: string): CanonicalRecord => ({
    kind: 'stream',
    resource: 'workout_stream',
    workoutId,
    providerId: 'p',
    sport: null,
    source,
    data: { time: [] },
  });
  const { records } = newer.without('c1', page([night('gone'), stream('gone'), stream('other')]));
  expect(records).toEqual([stream('other')]);
});

test('drops older samples only where newer readings are complete', () => {
  const newer = openNewerReadings();
  read(newer, [page([beats(5)], { allOf: [heart(0, 10)] }), page([], { allOf: [heart(20, 30), heart(10, 15)] })]);
  expect(newer.without('c1', page([beats(1, 5, 12, 15, 17, 20, 29, 30)])).records).toEqual([beats(15, 17, 30)]);
});

test('drops nothing because of a reading that was interrupted or partly quarantined', () => {
  const newer = openNewerReadings();
  read(newer, [page([], { allOf: [nights], partOf: [heart(0, 10)] })], true);
  read(newer, [page([], { allOf: [nights], partOf: [heart(0, 10)], quarantined: [aside] })]);
  const older = page([night('a'), beats(1)]);
  expect(newer.without('c1', older).records).toEqual(older.records);
});
