import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { readParallelLists, type ParallelList } from '../kit/records/parallel-lists.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { readEach, readWhole, type JsonNode } from '../kit/values/json-node.ts';
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

/** Channels with a unit that we do not know cannot be converted. */
function listsOf(graph: Graph, quarantined: Quarantined[]): ParallelList[] {
  return channels.flatMap(([theirs, channel]): ParallelList[] => {
    const metric = graph.metrics.get(theirs);
    const unknown = graph.unknownUnits.get(theirs);
    if (!metric && unknown) quarantined.push({ resource: 'workout_stream', reason: 'unknown_unit', pointer: unknown.pointer });
    if (!metric) return [];
    const read = (item: JsonNode) => {
      const value = roundTo(item.number() * metric.factor, 2);
      // No signal.
      return theirs === 'heart_rate' ? value || null : value;
    };
    return [{ channel, node: metric.node.at('values'), read }];
  });
}

/** Places by the second from the start; segments that are gaps have none. */
function placesOf(graph: Graph, quarantined: Quarantined[]): ReadonlyMap<number, readonly [lat: number, lng: number]> {
  const list = graph.root.at('location_data');
  const segments = list.isMissing ? [] : readEach('workout_stream', list, quarantined, (segment) => segment);
  const places = segments
    .filter((segment) => segment.at('is_gap').value !== true && !segment.at('coordinates').isMissing)
    .flatMap((segment) =>
      readEach('workout_stream', segment.at('coordinates'), quarantined, (point) => {
        const place = [roundTo(point.at('latitude').number(), 6), roundTo(point.at('longitude').number(), 6)] as const;
        return [Math.round(point.at('seconds_offset_from_start').amount()), place] as const;
      }),
    );
  return new Map(places);
}

function readData(workout: ListedWorkout, graph: Graph, quarantined: Quarantined[]): WorkoutStream['data'] | null {
  // Seconds have gaps: a sample is at the second that it names.
  const start = Math.floor(workout.startMs / 1000);
  const list = graph.root.at('seconds_since_pedaling_start');
  const read = readParallelLists(list, (item) => start + Math.round(item.amount()), listsOf(graph, quarantined), quarantined);
  const { time = [], ...data } = read ?? {};
  const places = placesOf(graph, quarantined);
  const isPlaced = time.some((second) => places.has(second - start));
  const placesAt = (place: 0 | 1) => time.map((second) => places.get(second - start)?.[place] ?? null);
  if (!isPlaced && Object.keys(data).length === 0) return null;
  return { time, ...data, ...(isPlaced && { lat: placesAt(0), lng: placesAt(1) }) };
}

/** The samples of a graph; none for classes without a machine. */
export function mapStream(
  workout: ListedWorkout,
  graph: Graph,
  context: RecordMaker,
  quarantined: Quarantined[],
): WorkoutStream | undefined {
  return readWhole('workout_stream', quarantined, (): WorkoutStream | undefined => {
    const data = readData(workout, graph, quarantined);
    if (data === null) return undefined;
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
