import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { readEach, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { parseDuration } from './time/parse-times.ts';

const kmhInMs = 3.6;
const same = (value: number): number => value;

/** `sample-type`; the others (pedalling, balance, air pressure, RR) have no stream channel. */
const channels: Readonly<Record<string, readonly [channel: StreamChannel, convert: (value: number) => number]>> = {
  0: ['heartrate', same],
  1: ['velocity_smooth', (value) => roundTo(value / kmhInMs, 3)],
  2: ['cadence', same],
  3: ['altitude', same],
  4: ['power', same],
  8: ['cadence', same],
  9: ['temperature', same],
  10: ['distance', same],
};

type Points = Map<number, Partial<Record<StreamChannel, number>>>;

function put(points: Points, second: number, channel: StreamChannel, value: number): void {
  const point = points.get(second) ?? {};
  point[channel] = value;
  points.set(second, point);
}

/** The documentation spells these names with hyphens; clients have also seen underscores, as in the rest of the response. */
function eitherOf(item: JsonNode, name: string): JsonNode {
  const found = item.at(name);
  return found.isMissing ? item.at(name.replace('-', '_')) : found;
}

/** One series: comma-separated values, `null` where the sensor dropped out. */
function readSeries(item: JsonNode, points: Points): void {
  const known = channels[eitherOf(item, 'sample-type').id()];
  const interval = eitherOf(item, 'recording-rate');
  if (known === undefined || interval.isMissing) return;
  const rate = interval.amount();
  const values = item.at('data').text().split(',');
  if (rate <= 0) throw interval.fail('bad_number');
  const [channel, convert] = known;
  for (const [index, text] of values.entries()) {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || (channel === 'heartrate' && value === 0)) continue;
    put(points, Math.round(index * rate), channel, convert(value));
  }
}

function readPoint(item: JsonNode, points: Points): void {
  const [lat, lng] = [item.at('latitude').number(), item.at('longitude').number()];
  const second = Math.round(item.at('time').time(parseDuration) / 1000);
  put(points, second, 'lat', lat);
  put(points, second, 'lng', lng);
}

/** An exercise's samples and route as one stream, by the second; null when it has none. */
export function readStreamData(item: JsonNode, startMs: number, quarantined: Quarantined[]): WorkoutStream['data'] | null {
  const points: Points = new Map();
  const each = (list: JsonNode, read: (entry: JsonNode, into: Points) => void) => {
    if (!list.isMissing) readEach('workout_stream', list, quarantined, (entry) => read(entry, points));
  };
  each(item.at('samples'), readSeries);
  each(item.at('route'), readPoint);
  if (points.size === 0) return null;
  const seconds = [...points.keys()].toSorted((a, b) => a - b);
  const seen = new Set(seconds.flatMap((second) => Object.keys(points.get(second) ?? {}) as StreamChannel[]));
  const startSecond = Math.floor(startMs / 1000);
  return {
    time: seconds.map((second) => startSecond + second),
    ...Object.fromEntries([...seen].map((channel) => [channel, seconds.map((second) => points.get(second)?.[channel] ?? null)])),
  };
}
