import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { sportByWords } from '../kit/values/sport-by-words.ts';
import { sportClockOf, sportMoment } from './clock.ts';
import { typedIn } from './ihealth.ts';
import { measured, type ListMapper } from './list-mapper.ts';
import type { PullWindow } from '../kit/types/connector.ts';

function readWorkout(item: JsonNode, window: PullWindow, context: RecordMaker): CanonicalRecord | undefined {
  const name = item.at('SportName').optional((node) => node.words().trim()) ?? '';
  if (name === '') return undefined;
  const clock = sportClockOf(item.at('SportStartTime'), item);
  const [start, end] = [
    sportMoment(item.at('SportStartTime'), item, clock, context),
    sportMoment(item.at('SportEndTime'), item, clock, context),
  ];
  if (end.ms < start.ms) throw item.at('SportEndTime').fail('bad_time');
  if (!isWithin(start.day, window)) return undefined;
  const calories = measured(item.at('Calories'));
  return workoutRecord(context, {
    raw: item,
    externalId: item.at('DataID').id(),
    sourceType: item.at('DataSource').value === 'Manual' ? typedIn : 'unknown',
    day: start.day,
    startMs: start.ms,
    endMs: end.ms,
    offset: start.offset,
    offsetFrom: start.offsetFrom,
    title: name,
    sport: sportByWords(name),
    data: { calories: calories === null ? null : roundTo(calories, 2) },
  });
}

/** Workouts: times, energy, and the sport by its English name. */
export const mapWorkouts: ListMapper = (body, window, context) => {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('SPORTDataList');
  return { records: readEach('workouts', list, quarantined, (item) => readWorkout(item, window, context)), quarantined };
};
