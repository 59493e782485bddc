import type { Quarantined, Summary } from '@pulsewire/contract';
import { workoutRecord } from '../kit/records/workout-record.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { readWhole, type JsonNode } from '../kit/values/json-node.ts';
import type { Graph } from './graph.ts';
import type { ListedWorkout } from './workout.ts';

/** If the list contains no end, the duration of the graph is used, or else that of the class. */
export function endOf({ node, startMs, endMs }: ListedWorkout, graph: Graph): number {
  if (endMs !== null) return endMs;
  const secondsOf = (duration: JsonNode) => duration.optional((value) => value.amount()) || null;
  const seconds = secondsOf(graph.root.at('duration')) ?? secondsOf(node.at('ride').at('duration')) ?? 0;
  return startMs + seconds * 1000;
}

export function mapWorkout(workout: ListedWorkout, graph: Graph, context: RecordMaker, quarantined: Quarantined[]): Summary | undefined {
  const { id, node, source, day, startMs, offset, offsetFrom, sport } = workout;
  const words = (given: JsonNode) => given.optional((text) => text.words()) || null;
  return readWhole('workouts', quarantined, () =>
    workoutRecord(context, {
      raw: node,
      externalId: id,
      sourceType: source,
      day,
      startMs,
      endMs: endOf(workout, graph),
      offset,
      offsetFrom,
      title: words(node.at('ride').at('title')) ?? words(node.at('title')) ?? words(node.at('name')),
      sport,
      data: {
        distance: graph.sum('distance'),
        calories: graph.sum('calories') ?? graph.sum('total_calories'),
        total_elevation_gain: graph.sum('elevation'),
        average_hr: graph.figure('heart_rate', 'average_value', 0),
        max_hr: graph.figure('heart_rate', 'max_value', 0),
        average_watts: graph.figure('output', 'average_value'),
        max_watts: graph.figure('output', 'max_value'),
        average_speed: graph.figure('speed', 'average_value'),
        max_speed: graph.figure('speed', 'max_value'),
      },
    }),
  );
}
