import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { readWhole, type JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { sportOf } from '../kit/values/sports.ts';
import type { Graph } from './graph.ts';
import type { ListedWorkout } from './workout.ts';

const channels: readonly (readonly [peloton: string, ours: StreamChannel])[] = [
  ['output', 'power'],
  ['cadence', 'cadence'],
  ['resistance', 'resistance'],
  ['heart_rate', 'heartrate'],
  ['speed', 'velocity_smooth'],
  ['altitude', 'altitude'],
];

type Values = (number | null)[];

/** Parallel to the seconds; null for missing values and for a heart rate of 0, which means no signal. */
function readChannel(node: JsonNode, slug: string, factor: number, length: number): Values | null {
  const items = node.at('values').itemsOrNone();
  if (items.length === 0) return null;
  if (items.length !== length) throw node.at('values').fail('unknown_shape');
  const values = items.map((item) => item.optional((value) => roundTo(value.number() * factor, 2)));
  return slug === 'heart_rate' ? values.map((value) => value || null) : values;
}

/** Places by the second from the start; segments that are gaps have none. */
function placesOf(graph: Graph): ReadonlyMap<number, readonly [lat: number, lng: number]> {
  const segments = graph.root.at('location_data').itemsOrNone();
  const points = segments
    .filter((segment) => segment.at('is_gap').value !== true)
    .flatMap((segment) => segment.at('coordinates').itemsOrNone());
  return new Map(
    points.map((point) => {
      const place = [roundTo(point.at('latitude').number(), 6), roundTo(point.at('longitude').number(), 6)] as const;
      return [Math.round(point.at('seconds_offset_from_start').amount()), place];
    }),
  );
}

function readData(workout: ListedWorkout, graph: Graph): WorkoutStream['data'] | undefined {
  const list = graph.root.at('seconds_since_pedaling_start');
  const seconds = list.itemsOrNone().map((item) => Math.round(item.amount()));
  if (seconds.some((second, index) => second < (seconds[index - 1] ?? 0))) throw list.fail('bad_time');
  const data: Partial<Record<StreamChannel, Values>> = {};
  for (const [theirs, ours] of channels) {
    const metric = graph.metrics.get(theirs);
    const values = metric ? readChannel(metric.node, theirs, metric.factor, seconds.length) : null;
    if (values?.some((value) => value !== null) === true) data[ours] = values;
  }
  const places = placesOf(graph);
  if (seconds.some((second) => places.has(second))) {
    data.lat = seconds.map((second) => places.get(second)?.[0] ?? null);
    data.lng = seconds.map((second) => places.get(second)?.[1] ?? null);
  }
  if (seconds.length === 0 || Object.keys(data).length === 0) return undefined;
  // Seconds have gaps: a sample is at the second that it names.
  return { time: seconds.map((second) => Math.floor(workout.startMs / 1000) + second), ...data };
}

/** The samples of a graph; none for classes without a machine. */
export function mapStream(
  workout: ListedWorkout,
  graph: Graph,
  context: RecordMaker,
  quarantined: Quarantined[],
): WorkoutStream | undefined {
  return readWhole('workout_stream', quarantined, (): WorkoutStream | undefined => {
    const data = readData(workout, graph);
    if (data === undefined) return undefined;
    return {
      kind: 'stream',
      resource: 'workout_stream',
      workoutId: context.idOf('workouts', workout.source, workout.id),
      providerId: workout.id,
      sport: sportOf(workout.sport),
      source: context.sourceOf(workout.source),
      data,
    };
  });
}
