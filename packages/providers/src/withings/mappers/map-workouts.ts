import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { deviceOfRow, sourceOfModel } from '../devices.ts';
import { instant, measured, rounded, sources, type WithingsContext } from '../withings.ts';

export const workoutFields =
  'calories,intensity,manual_distance,manual_calories,distance,steps,elevation,hr_average,hr_min,hr_max,pause_duration,algo_pause_duration,spo2_average';

const sports: Readonly<Record<number, string>> = {
  1: 'walking',
  2: 'running',
  3: 'hiking',
  6: 'cycling',
  7: 'swimming',
  12: 'tennis',
  16: 'weightlifting',
  18: 'elliptical',
  28: 'yoga',
  187: 'rowing',
  306: 'walking',
  307: 'treadmill_running',
  308: 'indoor_cycling',
};

/** A workout without a device was typed in, or comes from another maker's app. */
function sourceOf(item: JsonNode): string {
  return sourceOfModel(item.at('model')) ?? (item.at('deviceid').value === null ? sources.app : sources.watch);
}

function readWorkout(item: JsonNode, window: PullWindow, context: WithingsContext): readonly CanonicalRecord[] {
  const externalId = item.at('id').id();
  const [startMs, endMs] = [instant(item.at('startdate')), instant(item.at('enddate'))];
  if (endMs < startMs) throw item.at('enddate').fail('bad_time');
  const zone = context.zoneFor(item.at('timezone').value, startMs);
  const day = zone.dayOf(startMs);
  const category = item.at('category').number();
  if (!isWithin(day, window)) return [];
  const sourceType = sourceOf(item);
  const data = item.at('data');
  const pause = measured(data.at('pause_duration')) ?? measured(data.at('algo_pause_duration'));
  const workout = workoutRecord(context, {
    raw: item,
    externalId,
    sourceType,
    day,
    startMs,
    endMs,
    offset: zone.offsetAt(startMs),
    offsetFrom: zone.originAt(startMs),
    title: null,
    sport: sports[category] ?? 'other',
    data: {
      calories: measured(data.at('manual_calories')) ?? measured(data.at('calories')),
      distance: measured(data.at('manual_distance')) ?? measured(data.at('distance')),
      steps: rounded(data.at('steps')),
      average_hr: rounded(data.at('hr_average')),
      max_hr: rounded(data.at('hr_max')),
      moving_time: pause === null ? null : Math.max(0, Math.round((endMs - startMs) / 1000 - pause)),
    },
  });
  return recordedBy(deviceOfRow(item, sourceType, context), [workout]);
}

/** `getworkouts`: summaries; the user's corrections take precedence over measurements. */
export function mapWorkouts(body: unknown, window: PullWindow, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('body').at('series');
  return { records: readEach('workouts', list, quarantined, (item) => readWorkout(item, window, context)).flat(), quarantined };
}
