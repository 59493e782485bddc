import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createContext } from './libreview.ts';
import { mapDailyLog } from '../abbott_libreview/daily-log/map-daily-log.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/New_York',
  providerUserId: 'patient-1',
  grantedScopes: [],
  account: { patient_id: 'patient-1', time_zone: 'Etc/GMT-14' },
};
const window = { startDate: '2026-03-11', endDate: '2026-03-12' };
const map = (report: unknown) => mapDailyLog(report, window, createContext(user));

// The response also contains the day after the window, which is dropped.
describeMappers(import.meta.url, { 'daily-log': map });

it('reads wall clocks as UTC without an offset, converts mg/dL, and quarantines values of neither unit', () => {
  const at = (seconds: number, value: number) => ({ Data: { Days: [{ Glucose: [[{ Timestamp: seconds, Value: value }]] }] } });
  const samplesOf = (report: unknown) => map(report).records.flatMap((record) => (record.kind === 'samples' ? record.samples : []));
  expect(samplesOf(at(1_773_273_600, 5.6))).toEqual([{ ts: Date.parse('2026-03-12T00:00:00Z'), value: 5.6, timezoneOffset: null }]);
  // The ranges of the two units do not overlap.
  expect(samplesOf(at(1_773_273_600, 101))).toMatchObject([{ value: expect.closeTo(5.605, 2) }]);
  expect([samplesOf(at(1_773_273_600, 30)), map(at(1_773_273_600, 30)).quarantined]).toEqual([
    [],
    [{ resource: 'glucose', reason: 'bad_number', pointer: '/Data/Days/0/Glucose/0/0/Value' }],
  ]);
});

it('maps a scan with the fields of a reading to manual_scan and skips any other', () => {
  const scan = { Timestamp: 1_773_273_600, Value: 6.2 };
  const typesOf = (SensorScans: unknown) => {
    const { records, quarantined } = map({ Data: { Days: [{ Glucose: [], SensorScans }] } });
    expect(quarantined).toEqual([]);
    return records.map((record) => (record.kind === 'samples' ? [record.source.type, record.samples.map(({ value }) => value)] : null));
  };
  expect(typesOf([scan])).toEqual([['manual_scan', [6.2]]]);
  expect(typesOf([[scan, { ...scan, Timestamp: 1_773_277_200 }], []])).toEqual([['manual_scan', [6.2, 6.2]]]);
  for (const other of [undefined, null, 7, {}, [7, null, { Timestamp: 'soon', Value: 6 }, { Timestamp: 1_773_273_600 }]])
    expect(typesOf(other)).toEqual([]);
});
