import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { msToDay, utcMidnight } from '../../kit/time/days.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { leaveOut } from '../../kit/records/left-out.ts';
import type { PullWindow } from '../../kit/types/connector.ts';
import { activitiesOf, isComplete, type Cycle } from '../cycles.ts';
import { parseDuring, readOffset } from '../span.ts';
import { sportOfType, sportSlugOf } from '../sports.ts';
import { strap, type WhoopContext } from '../whoop.ts';

const kilojoulesPerKcal = 4.184;

const kilocalories = (node: JsonNode) => node.optional((value) => roundTo(value.amount() / kilojoulesPerKcal, 1));
const rounded = (node: JsonNode) => node.optional((value) => Math.round(value.amount()) || null);

const zoneCount = 6;
/** Zones may be counted to the end of the last reading, which is later than the end of the workout. */
const tolerance = 1.1;

/** Time below half of the maximum heart rate, then in steps of ten percent. In seconds where it was seen; else null. */
function readZones(node: JsonNode, seconds: number): number[] | null {
  const zones = Array.isArray(node.value) ? node.items().map((zone) => zone.amount()) : [];
  const total = zones.reduce((sum, zone) => sum + zone, 0);
  return zones.length === zoneCount && total <= seconds * tolerance ? zones.map((zone) => Math.round(zone)) : null;
}

/** The cycle as the day's activity; none while it runs, because its figures cover the whole cycle. */
export function mapActivity({ record, id, day, endMs, offset }: Cycle, window: PullWindow, context: WhoopContext): CanonicalRecord[] {
  const cycle = record.at('cycle');
  if (endMs === null || !isComplete(cycle.at('data_state'))) {
    leaveOut(window, 'unfinished');
    return [];
  }
  return [
    context.summary({
      raw: cycle,
      resource: 'activity',
      sourceType: strap,
      externalId: id,
      calendarDate: day,
      at: utcMidnight(day),
      data: {
        calories_total: kilocalories(cycle.at('day_kilojoules')),
        calories_active: null,
        steps: null,
        distance: null,
        heart_rate: { avg_bpm: rounded(cycle.at('day_avg_heart_rate')), max_bpm: rounded(cycle.at('day_max_heart_rate')) },
        timezone_offset: offset,
      },
    }),
  ];
}

function readWorkout(
  item: JsonNode,
  cycle: Cycle,
  activities: ReadonlyMap<unknown, JsonNode>,
  window: PullWindow,
  context: WhoopContext,
): CanonicalRecord | undefined {
  const externalId = item.at('activity_id').id();
  const { startMs, endMs } = item.at('during').time(parseDuring);
  const activity = activities.get(externalId);
  if (activity && !isComplete(activity.at('score_state'))) {
    leaveOut(window, 'unfinished');
    return undefined;
  }
  if (endMs === null) throw item.at('during').fail('bad_time');
  const offset = readOffset(item.at('timezone_offset')) ?? cycle.offset;
  return workoutRecord(context, {
    raw: item,
    externalId,
    sourceType: strap,
    day: offset === null ? cycle.day : msToDay(startMs + offset * 1000),
    startMs,
    endMs,
    offset,
    title: null,
    sport: sportSlugOf(item.at('sport_id').value) ?? sportOfType(activity?.at('type').value),
    // `score` is the strain, which the contract does not have.
    data: {
      calories: kilocalories(item.at('kilojoules')),
      average_hr: rounded(item.at('average_heart_rate')),
      max_hr: rounded(item.at('max_heart_rate')),
      steps: rounded(item.at('total_steps')),
      hr_zones: readZones(item.at('zone_durations'), (endMs - startMs) / 1000),
    },
  });
}

/** Workouts of a cycle. Whether a workout is scored, and its kind in words, is in the separate list of activities. */
export function mapWorkouts(cycle: Cycle, window: PullWindow, context: WhoopContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const list = cycle.record.at('workouts');
  if (list.isMissing) return [];
  const activities = new Map(activitiesOf(cycle).map((item) => [item.at('id').value, item] as const));
  return readEach('workouts', list, quarantined, (item) => readWorkout(item, cycle, activities, window, context));
}
