import { expect, test } from 'vitest';
import { expandSamples, packSamples, unpackSamples } from './packed-samples.ts';
import type { Sample } from '../records/records.ts';

const header = {
  userId: '019b8f00-0000-7000-8000-000000000001',
  sourceId: 16,
  source: { provider: 'fitbit', type: 'watch' },
  resource: 'steps',
};
const start = Date.UTC(2026, 0, 4);

function minute(index: number): Sample {
  const ts = start + index * 60_000;
  return { ts, end: ts + 60_000, value: (index * 7919) % 131, timezoneOffset: 3600 };
}

const minutes = Array.from({ length: 1000 }, (_, index) => minute(index));

test('packs a thousand minutes of steps into less than 4 KB', () => {
  expect(packSamples(header, minutes).length).toBeLessThan(4096);
});

test('packs a thousand heart rates at irregular seconds into less than 4 KB', () => {
  const beats = minutes.map((sample, index): Sample => ({
    ts: sample.ts + ((index * 31) % 60) * 1000,
    value: 50 + (index % 90),
    timezoneOffset: 0,
  }));
  expect(packSamples({ ...header, resource: 'heartrate' }, beats).length).toBeLessThan(4096);
});

test('expands to the data of a timeseries event', () => {
  expect(JSON.parse(expandSamples(packSamples(header, minutes.slice(0, 1))))).toEqual({
    user_id: header.userId,
    source_id: 16,
    source: { provider: 'fitbit', type: 'watch', app_id: null, device_id: null, sport: null, workout_id: null },
    data: [
      {
        id: null,
        timestamp: '2026-01-04T00:00:00+00:00',
        start: '2026-01-04T00:00:00+00:00',
        end: '2026-01-04T00:01:00+00:00',
        timezone_offset: 3600,
        type: null,
        unit: 'count',
        value: 0,
      },
    ],
  });
});

test('rejects a truncated or extended batch with one code, without reading past its end', () => {
  const packed = packSamples(header, minutes.slice(0, 3));
  const unreadable = expect.objectContaining({ code: 'packed_samples_unreadable' });
  for (let length = 0; length < packed.length; length++) expect(() => unpackSamples(packed.subarray(0, length))).toThrow(unreadable);
  expect(() => unpackSamples(Buffer.concat([packed, Buffer.of(0)]))).toThrow(unreadable);
});

test('rejects an unknown version', () => {
  const packed = packSamples(header, []);
  packed[0] = 2;
  expect(() => expandSamples(packed)).toThrow(expect.objectContaining({ details: { reason: 'unknown_version' } }));
});

test('allocates no memory beyond the bound for a damaged count', () => {
  const packed = packSamples(header, []);
  // The count follows the version, the header's length (one byte here or two) and the header.
  const headerBytes = Buffer.byteLength(JSON.stringify([header.userId, 16, 'steps', null, 'fitbit', 'watch', null, null, null, null]));
  const countAt = 1 + (headerBytes < 128 ? 1 : 2) + headerBytes;
  const huge = Buffer.concat([packed.subarray(0, countAt), Buffer.of(255, 255, 255, 255, 255, 255, 15), packed.subarray(countAt + 1)]);
  expect(() => unpackSamples(huge)).toThrow(expect.objectContaining({ details: { reason: 'too_many_samples' } }));
});

test('refuses to pack samples that violate the contract', () => {
  const bad = expect.objectContaining({ code: 'bad_sample' });
  const good = minute(0);
  const wrong: Sample[] = [
    { ...good, value: Number.NaN },
    { ...good, value: Infinity },
    { ...good, ts: 0.5 },
    { ...good, ts: 9e15 },
    { ...good, timezoneOffset: 1.5 },
    { ...good, end: Number.NaN },
  ];
  for (const sample of wrong) expect(() => packSamples(header, [sample])).toThrow(bad);
});

test('rejects a reference to missing extras, and a header of another shape', () => {
  const packed = packSamples(header, [{ ...minute(0), extra: { type: 'elevated' } }]);
  const damagedPlace = Buffer.from(packed);
  // The last byte is the number of the extras set of the last sample.
  damagedPlace[packed.length - 1] = 9;
  expect(() => unpackSamples(damagedPlace)).toThrow(expect.objectContaining({ details: { reason: 'bad_extras' } }));
  const damagedHeader = Buffer.from(packed.toString('latin1').replace('null]', '1234]'), 'latin1');
  expect(() => unpackSamples(damagedHeader)).toThrow(expect.objectContaining({ details: { reason: 'bad_header' } }));
});
