import type { StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { readFitMessages } from '../values/fit.ts';
import { roundTo } from '../values/numbers.ts';

/** The data of a FIT file about a workout, in our units; null for unknown values. */
export interface FitWorkout {
  readonly startMs: number | null;
  readonly elapsedSeconds: number | null;
  readonly movingSeconds: number | null;
  /** Seconds east of UTC. */
  readonly offset: number | null;
  readonly figures: Readonly<Record<FitFigure, number | null>>;
  /** Null when there is no record. */
  readonly data: WorkoutStream['data'] | null;
}

export type FitFigure =
  | 'distance'
  | 'calories'
  | 'average_hr'
  | 'max_hr'
  | 'average_speed'
  | 'max_speed'
  | 'average_watts'
  | 'max_watts'
  | 'weighted_average_watts'
  | 'total_elevation_gain'
  | 'elev_high'
  | 'elev_low';

type Fields = ReadonlyMap<number, number>;

/** Seconds from 1970 to the epoch of FIT, the last day of 1989. */
const fitEpochSeconds = 631_065_600;
const degreesPerSemicircle = 180 / 2 ** 31;

const scaled =
  (field: number, scale: number, offset = 0) =>
  (fields: Fields): number | null => {
    const value = fields.get(field);
    return value === undefined ? null : roundTo(value / scale - offset, 3);
  };

/** The first field that has a value: newer devices write more precise fields in addition to the old ones. */
const either =
  (...readers: readonly ((fields: Fields) => number | null)[]) =>
  (fields: Fields): number | null => {
    for (const read of readers) {
      const value = read(fields);
      if (value !== null) return value;
    }
    return null;
  };

const degrees = (field: number) => (fields: Fields) => {
  const value = fields.get(field);
  return value === undefined ? null : roundTo(value * degreesPerSemicircle, 6);
};

const channels: Readonly<Partial<Record<StreamChannel, (fields: Fields) => number | null>>> = {
  lat: degrees(0),
  lng: degrees(1),
  altitude: either(scaled(78, 5, 500), scaled(2, 5, 500)),
  // A heart rate is never zero.
  heartrate: (fields) => fields.get(3) || null,
  cadence: scaled(4, 1),
  distance: scaled(5, 100),
  velocity_smooth: either(scaled(73, 1000), scaled(6, 1000)),
  power: scaled(7, 1),
  temperature: scaled(13, 1),
};

const figureReaders: Readonly<Partial<Record<FitFigure, (fields: Fields) => number | null>>> = {
  distance: scaled(9, 100),
  calories: scaled(11, 1),
  average_hr: (fields) => fields.get(16) || null,
  max_hr: (fields) => fields.get(17) || null,
  average_speed: either(scaled(124, 1000), scaled(14, 1000)),
  max_speed: either(scaled(125, 1000), scaled(15, 1000)),
  average_watts: (fields) => fields.get(20) || null,
  max_watts: (fields) => fields.get(21) || null,
  weighted_average_watts: (fields) => fields.get(34) || null,
  total_elevation_gain: scaled(22, 1),
};

/** One point per second; a position of 0, 0 means that there was no GPS fix. */
function readStream(records: readonly Fields[]): WorkoutStream['data'] | null {
  const bySecond = new Map<number, Fields>();
  for (const record of records) {
    const seconds = record.get(253);
    if (seconds !== undefined) bySecond.set(seconds + fitEpochSeconds, record);
  }
  if (bySecond.size === 0) return null;
  const time = [...bySecond.keys()].toSorted((a, b) => a - b);
  const points = time.map((second) => bySecond.get(second) ?? new Map<number, number>());
  const hasNoFix = (point: Fields) => point.get(0) === 0 && point.get(1) === 0;
  const lists = Object.entries(channels).flatMap(([channel, read]) => {
    const isPlace = channel === 'lat' || channel === 'lng';
    const values = points.map((point) => (isPlace && hasNoFix(point) ? null : read(point)));
    return values.some((value) => value !== null) ? [[channel, values] as const] : [];
  });
  return { time, ...Object.fromEntries(lists) };
}

function highestAndLowest(data: WorkoutStream['data'] | null): Pick<FitWorkout['figures'], 'elev_high' | 'elev_low'> {
  const heights = (data?.altitude ?? []).filter((value) => value !== null);
  if (heights.length === 0) return { elev_high: null, elev_low: null };
  return { elev_high: heights.reduce((a, b) => Math.max(a, b)), elev_low: heights.reduce((a, b) => Math.min(a, b)) };
}

/** Reads the FIT file of one workout; undefined when the bytes are not a complete FIT file. */
export function readFitWorkout(bytes: Buffer): FitWorkout | undefined {
  const messages = readFitMessages(bytes);
  if (!messages) return undefined;
  const data = readStream(messages.records);
  const session: Fields = messages.sessions[0] ?? new Map<number, number>();
  const activity: Fields = messages.activities[0] ?? new Map<number, number>();
  const [utc, local] = [activity.get(253), activity.get(5)];
  const read = (name: FitFigure) => figureReaders[name]?.(session) ?? null;
  const startSeconds = session.get(2) ?? (data?.time[0] === undefined ? undefined : data.time[0] - fitEpochSeconds);
  return {
    startMs: startSeconds === undefined ? null : (startSeconds + fitEpochSeconds) * 1000,
    elapsedSeconds: scaled(7, 1000)(session),
    movingSeconds: scaled(8, 1000)(session),
    // Devices without a zone write 0.
    offset: utc === undefined || local === undefined || local === 0 ? null : local - utc,
    figures: {
      distance: read('distance'),
      calories: read('calories'),
      average_hr: read('average_hr'),
      max_hr: read('max_hr'),
      average_speed: read('average_speed'),
      max_speed: read('max_speed'),
      average_watts: read('average_watts'),
      max_watts: read('max_watts'),
      weighted_average_watts: read('weighted_average_watts'),
      total_elevation_gain: read('total_elevation_gain'),
      ...highestAndLowest(data),
    },
    data,
  };
}
