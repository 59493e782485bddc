import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Quarantined } from '@pulsewire/contract';
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

function read(bytes: Buffer, listed: number | string = unix * 1000) {
  const quarantined: Quarantined[] = [];
  const workout = readFitWorkout(bytes, typeof listed === 'number' ? listed : Date.parse(listed), quarantined);
  return { workout, quarantined, reasons: quarantined.map(({ reason, pointer }) => `${reason} ${pointer}`) };
}

describe('readFitWorkout', () => {
  it('reads both byte orders, units and missing values, and sorts points by time', () => {
    const { workout } = read(fileOf([...points, ...session, ...activity]));
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
    const { workout } = read(fileOf([...record, ...point(0, 0, 30, 99, 0), ...short, 0x80 | (1 << 5) | lowest, 120]));
    expect(workout?.data).toMatchObject({ time: [unix, unix + 5], heartrate: [99, 120] });
  });

  it.each([
    [14 * 3600, 50_400, []],
    [-12 * 3600 - 1, -43_200, []],
    [14 * 3600 + 1, null, ['bad_time /file/activity']],
    [680_848_312, null, ['bad_time /file/activity']],
  ])('takes a difference of %i seconds between the clocks for an offset of %s', (seconds, offset, reasons) => {
    const clocks = [2, ...bytesOf(4, start + 60), ...bytesOf(4, start + 60 + seconds)];
    const definition = activity.slice(0, -clocks.length);
    const found = read(fileOf([...points, ...session, ...definition, ...clocks]));
    expect([found.workout?.offset, found.reasons]).toEqual([offset, reasons]);
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
    const { workout } = read(fileOf([...withDeveloper, 3, ...bytesOf(4, start), 88, 1, 2, 3, ...bytesOf(4, start + 1), 89, 3, 4]));
    expect(workout?.data).toMatchObject({ heartrate: [88, 89] });
  });

  it('reads a file of any number of sessions', () => {
    const one = [...define(1, 18, [[2, 4, 0x86]])];
    const many = Array.from({ length: 200_000 }, () => [1, ...bytesOf(4, start)]).flat();
    expect(read(fileOf(one.concat(many))).workout?.startMs).toBe(unix * 1000);
  });

  it('returns no stream when there are no points', () => {
    expect(read(fileOf(session)).workout?.data).toBeNull();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<html>not found at all</html>')],
    ['a header that is cut off', fileOf(points).subarray(0, 11)],
  ])('sets a file aside: %s', (_name, bytes) => {
    expect(read(bytes)).toMatchObject({ workout: undefined, reasons: ['unknown_shape /file'] });
  });

  it.each([
    ['a part of a file', fileOf(points).subarray(0, 75), 'cut_off /file/58'],
    ['a message that ends early', fileOf([...points, 0, 1, 2]), `cut_off /file/${14 + points.length}`],
    ['a definition that ends early', fileOf([...points, 0x40, 0, 0, 20, 0, 200, 1]), `cut_off /file/${14 + points.length}`],
    ['a message without a definition', fileOf([...points, 5, 1, 2, 3]), `damaged /file/${14 + points.length}`],
  ])('keeps what comes before the damage, and reports its place: %s', (_name, bytes, damage) => {
    const { workout, reasons } = read(bytes);
    expect(workout?.data?.time[0]).toBe(unix);
    expect(reasons).toEqual([damage]);
  });

  it('reads files in a row as one', () => {
    const more = [...record, ...point(3, 2 ** 29, 34, 152, 18)];
    expect(read(Buffer.concat([fileOf(points), fileOf(more)])).workout?.data).toMatchObject({ heartrate: [null, null, 151, 152] });
  });

  it('counts a session once that files in a row state again', () => {
    const file = fileOf([...points, ...session, ...activity]);
    const [once, twice] = [read(file), read(Buffer.concat([file, file]))];
    expect(once.workout?.elapsedSeconds).toEqual(expect.any(Number));
    expect(twice.workout).toEqual(once.workout);
  });

  it('ignores bytes behind the end', () => {
    expect(read(Buffer.concat([fileOf(points), Buffer.from('anything')])).reasons).toEqual([]);
  });
});

describe('a file of a real device', async () => {
  const cases = JSON.parse(await readFile(new URL('fixtures/fit-cases.json', import.meta.url), 'utf8')) as Readonly<Record<string, string>>;
  const readCase = (name: string) => read(Buffer.from(cases[name] ?? '', 'hex'), '2026-05-14T10:00:00Z');
  const rates = { heartrate: [120, 121, 122] };

  it('has no offset when its two clocks differ by more than 14 hours', () => {
    const { workout, reasons } = readCase('fit-local-garbage');
    expect(workout).toMatchObject({ offset: null, data: rates });
    expect(reasons).toEqual(['bad_time /file/activity']);
  });

  it('has an offset of whole quarters of an hour', () => {
    expect(readCase('fit-local-7199')).toMatchObject({ workout: { offset: 7200 }, reasons: [] });
  });

  it('has no stream when its times count from when the device was switched on', () => {
    const { workout, reasons } = readCase('fit-power-on-times');
    expect(workout).toMatchObject({ startMs: null, data: null });
    expect(reasons).toEqual(['bad_time /file/records']);
  });

  it('has one point for the records of one second', () => {
    const { workout } = readCase('fit-two-records-a-second');
    expect(workout?.data).toMatchObject({ ...rates, lat: [52, 52, 52], lng: [13, 13, 13] });
  });

  it('is read to its end when its header states no size', () => {
    expect(readCase('fit-size-zero')).toMatchObject({ workout: { offset: 7200, data: rates }, reasons: [] });
  });

  it('is kept up to where it was cut off', () => {
    expect(readCase('fit-cut-off')).toMatchObject({ workout: { data: rates }, reasons: [expect.stringMatching(/^cut_off .file.\d+$/)] });
  });

  it('is kept up to a stray byte', () => {
    expect(readCase('fit-stray-byte')).toMatchObject({ workout: { data: rates }, reasons: [expect.stringMatching(/^damaged .file.\d+$/)] });
  });

  it('has the figures of all its sessions', () => {
    expect(readCase('fit-two-sessions').workout).toMatchObject({
      elapsedSeconds: 10,
      sport: 'multisport',
      figures: { distance: 440, calories: 400, max_hr: 180 },
    });
  });

  it('has no place where the position is that of no fix', () => {
    expect(readCase('fit-no-place').workout?.data).toMatchObject({ lat: [null, 52, 52], lng: [null, 13, 13] });
  });

  it('has no points of other years than most', () => {
    const { workout, reasons } = readCase('fit-stale-points');
    expect(workout?.data?.time).toHaveLength(3);
    expect(workout?.data).toMatchObject(rates);
    expect(reasons).toEqual(['bad_time /file/records']);
  });

  it('keeps its figures when its clock contradicts the list, but not its times', () => {
    const { workout, reasons } = read(Buffer.from(cases['fit-two-sessions'] ?? '', 'hex'), '2025-01-01T10:00:00Z');
    expect(workout).toMatchObject({ startMs: null, data: null, figures: { max_hr: 180 } });
    expect(reasons).toEqual(['bad_time /file/records', 'bad_time /file/session']);
  });
});
