import { expect, test } from 'vitest';
import type { WorkoutStream } from '../records/records.ts';
import { openStream, packStream, unpackStream } from './packed-stream.ts';

const seconds = Array.from({ length: 3600 }, (_, index) => index);
const time = seconds.map((second) => 1_767_546_000 + second);
const wave = (index: number, size: number) => Math.round(Math.sin(index / 90) * size);

const ride: WorkoutStream['data'] = {
  time,
  heartrate: seconds.map((index) => (index % 500 === 0 ? null : 140 + wave(index, 20))),
  // Positions in the precisions of Strava and of devices.
  lat: seconds.map((index) => (52_500_000 + index * 13) / 1e6),
  lng: seconds.map((index) => ((159_000_000 + index * 97) * 180) / 2 ** 31),
  altitude: seconds.map((index) => Math.fround(33.3 + wave(index, 300) / 7)),
  velocity_smooth: seconds.map((index) => 3.1 + wave(index, 9) / 10),
  temperature: seconds.map((index) => (index * Math.PI) % 30),
  power: [],
};

test('restores every value exactly, in any representation', () => {
  expect(unpackStream(packStream(ride))).toEqual(ride);
  const odd = { time: [5, 1, -3, 2.5], distance: [null, 1e-9, -1e300, 0.1 + 0.2], lat: [null, null, null, null] };
  expect(unpackStream(packStream(odd))).toEqual(odd);
  expect(unpackStream(packStream({ time: [] }))).toEqual({ time: [] });
});

test('stores values without a JSON number as JSON would write them', () => {
  const data = { time: [1, 2, 3], power: [Number.NaN, -0, Number.POSITIVE_INFINITY] };
  expect(unpackStream(packStream(data))).toEqual({ time: [1, 2, 3], power: [null, 0, null] });
});

test('packs equal streams to equal bytes, in any order of channels', () => {
  const { time: axis, ...channels } = ride;
  expect(packStream({ ...channels, time: axis })).toEqual(packStream(ride));
});

test('packs an hour of seconds, heart rate and positions into less than a tenth of its JSON', () => {
  const { time: axis, heartrate, lat, lng } = ride;
  const data = { time: axis, heartrate, lat, lng } as WorkoutStream['data'];
  expect(packStream(data).length * 10).toBeLessThan(JSON.stringify(data).length);
});

test('reads a column in chunks of the requested size', () => {
  const column = openStream(packStream(ride)).get('heartrate');
  const chunks = [...(column?.chunks(1000) ?? [])];
  expect(chunks.map(({ length }) => length)).toEqual([1000, 1000, 1000, 600]);
  expect(chunks.flat()).toEqual(ride.heartrate);
});

test('rejects a truncated or extended stream with one code, without reading past its end', () => {
  const packed = packStream({ time: [1, 2, 3], power: [0.1, null, Math.PI], lat: [1.5, 2.5, Math.fround(0.1)] });
  const unreadable = expect.objectContaining({ code: 'packed_samples_unreadable' });
  for (let length = 0; length < packed.length; length++) expect(() => unpackStream(packed.subarray(0, length))).toThrow(unreadable);
  expect(() => unpackStream(Buffer.concat([packed, Buffer.of(0)]))).toThrow(unreadable);
  expect(() => unpackStream(Buffer.from([2, 0]))).toThrow(unreadable);
});
