import { describe, expect, it } from 'vitest';
import { readFitWorkout } from './fit-workout.ts';

type Field = readonly [number: number, size: number, baseType: number];

const bytesOf = (size: number, value: number, isLittle = true): number[] => {
  const bytes = Array.from({ length: size }, (_unused, place) => Math.floor(value / 256 ** place) % 256);
  return isLittle ? bytes : bytes.toReversed();
};
const define = (local: number, message: number, fields: readonly Field[], isLittle = true): number[] => [
  0x40 | local,
  0,
  isLittle ? 0 : 1,
  ...bytesOf(2, message, isLittle),
  fields.length,
  ...fields.flat(),
];

function fileOf(content: readonly number[]): Buffer {
  return Buffer.from([14, 0x10, ...bytesOf(2, 2140), ...bytesOf(4, content.length), ...Buffer.from('.FIT'), 0, 0, ...content, 0, 0]);
}

const start = 1_141_000_000;
const unix = start + 631_065_600;
const record = define(0, 20, [
  [253, 4, 0x86],
  [0, 4, 0x85],
  [1, 4, 0x85],
  [2, 2, 0x84],
  [3, 1, 0x02],
  [5, 4, 0x86],
]);
const point = (seconds: number, place: number, height: number, beats: number, metres: number) => [
  0,
  ...bytesOf(4, start + seconds),
  ...bytesOf(4, place),
  ...bytesOf(4, place),
  ...bytesOf(2, (height + 500) * 5),
  beats,
  ...bytesOf(4, metres * 100),
];
const points = [...record, ...point(0, 0, 30, 0, 0), ...point(2, 2 ** 29, 33, 151, 12), ...point(1, 2 ** 29, 31, 0xff, 6)];
const session = [
  ...define(
    1,
    18,
    [
      [253, 4, 0x86],
      [2, 4, 0x86],
      [7, 4, 0x86],
      [11, 2, 0x84],
      [20, 2, 0x84],
      [200, 6, 0x07],
    ],
    false,
  ),
  1,
  ...bytesOf(4, start + 60, false),
  ...bytesOf(4, start, false),
  ...bytesOf(4, 61_500, false),
  ...bytesOf(2, 420, false),
  0xff,
  0xff,
  ...Buffer.from('device'),
];
const activity = [
  ...define(2, 34, [
    [253, 4, 0x86],
    [5, 4, 0x86],
  ]),
  2,
  ...bytesOf(4, start + 60),
  ...bytesOf(4, start + 60 + 7200),
];

describe('readFitWorkout', () => {
  it('reads both byte orders, units and missing values, and sorts points by time', () => {
    const workout = readFitWorkout(fileOf([...points, ...session, ...activity]));
    expect(workout).toMatchObject({ startMs: unix * 1000, elapsedSeconds: 61.5, movingSeconds: null, offset: 7200 });
    expect(workout?.figures).toMatchObject({ calories: 420, average_watts: null, elev_high: 33, elev_low: 30 });
    expect(workout?.data).toEqual({
      time: [unix, unix + 1, unix + 2],
      lat: [null, 45, 45],
      lng: [null, 45, 45],
      altitude: [30, 31, 33],
      heartrate: [null, null, 151],
      distance: [0, 6, 12],
    });
  });

  it('reads timestamps of which only the lower bits are written', () => {
    const short = define(1, 20, [[3, 1, 0x02]]);
    const lowest = (start + 5) % 32;
    const workout = readFitWorkout(fileOf([...record, ...point(0, 0, 30, 99, 0), ...short, 0x80 | (1 << 5) | lowest, 120]));
    expect(workout?.data).toMatchObject({ time: [unix, unix + 5], heartrate: [99, 120] });
  });

  it('skips developer fields', () => {
    const withDeveloper = [
      0x60 | 3,
      ...define(3, 20, [
        [253, 4, 0x86],
        [3, 1, 0x02],
      ]).slice(1),
      1,
      0,
      2,
      0,
    ];
    const workout = readFitWorkout(fileOf([...withDeveloper, 3, ...bytesOf(4, start), 88, 1, 2, 3, ...bytesOf(4, start + 1), 89, 3, 4]));
    expect(workout?.data).toMatchObject({ heartrate: [88, 89] });
  });

  it('returns no stream when there are no points', () => {
    expect(readFitWorkout(fileOf(session))?.data).toBeNull();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<html>not found at all</html>')],
    ['a part of a file', fileOf(points).subarray(0, 60)],
    ['a message that ends early', fileOf(points.slice(0, -3))],
    ['a message without a definition', fileOf([5, 1, 2, 3])],
    ['a definition that ends early', fileOf([0x40, 0, 0, 20, 0, 200, 1])],
  ])('returns undefined for %s', (_name, bytes) => {
    expect(readFitWorkout(bytes)).toBeUndefined();
  });
});
