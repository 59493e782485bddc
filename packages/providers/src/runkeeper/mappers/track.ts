import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';

export interface Track {
  readonly data: WorkoutStream['data'];
  /** Since the start. */
  readonly lastSecond: number;
}

type Point = Partial<Record<StreamChannel, number>>;

const channels = ['lat', 'lng', 'altitude', 'distance', 'heartrate'] as const;

/** No fix is 0 and 0; an altitude of 0 is one that is not known. */
function readPlace(item: JsonNode): Point {
  const [lat, lng] = [item.at('latitude').number(), item.at('longitude').number()];
  const altitude = item.at('altitude').optional((node) => node.number()) ?? 0;
  return { ...((lat !== 0 || lng !== 0) && { lat, lng }), ...(altitude !== 0 && { altitude }) };
}

function readBeat(item: JsonNode): Point {
  const heartrate = item.at('heart_rate').amount();
  return heartrate === 0 ? {} : { heartrate };
}

/** The lists of an activity, each with times of its own, merged second by second; undefined when all of them are empty. */
export function readTrack(item: JsonNode, startMs: number, quarantined: Quarantined[]): Track | undefined {
  const points = new Map<number, Point>();
  let lastSecond = 0;
  const merge = (name: string, read: (point: JsonNode) => Point) => {
    if (item.at(name).isMissing) return;
    readEach('workout_stream', item.at(name), quarantined, (point) => {
      const seconds = point.at('timestamp').amount();
      lastSecond = Math.max(lastSecond, seconds);
      const second = Math.round(startMs / 1000 + seconds);
      points.set(second, { ...points.get(second), ...read(point) });
      return undefined;
    });
  };
  merge('path', readPlace);
  merge('distance', (point) => ({ distance: point.at('distance').amount() }));
  merge('heart_rate', readBeat);
  if (points.size === 0) return undefined;
  const time = [...points.keys()].toSorted((a, b) => a - b);
  const lists = channels.flatMap((channel) => {
    const values = time.map((second) => points.get(second)?.[channel] ?? null);
    return values.some((value) => value !== null) ? [[channel, values] as const] : [];
  });
  return { data: { time, ...Object.fromEntries(lists) }, lastSecond };
}
