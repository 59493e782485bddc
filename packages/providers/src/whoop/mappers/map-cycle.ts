import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { msToDay, utcMidnight } from '../../kit/time/days.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { isComplete, type Cycle } from '../cycles.ts';
import { parseDuring, readOffset } from '../span.ts';
import { sportSlugOf } from '../sports.ts';
import { strap, type WhoopContext } from '../whoop.ts';

const kilojoulesPerKcal = 4.184;

const kilocalories = (node: JsonNode) => node.optional((value) => roundTo(value.amount() / kilojoulesPerKcal, 1));
const rounded = (node: JsonNode) => node.optional((value) => Math.round(value.amount()) || null);

/** The cycle as the day's activity; none while it runs, because its figures cover the whole cycle. */
export function mapActivity({ record, id, day, endMs, offset }: Cycle, context: WhoopContext): CanonicalRecord[] {
  const cycle = record.at('cycle');
  if (endMs === null || !isComplete(cycle.at('data_state'))) return [];
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

function readWorkout(item: JsonNode, cycle: Cycle, pending: ReadonlySet<unknown>, context: WhoopContext): CanonicalRecord | undefined {
  const externalId = item.at('activity_id').id();
  const { startMs, endMs } = item.at('during').time(parseDuring);
  if (pending.has(externalId)) return undefined;
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
    sport: sportSlugOf(item.at('sport_id').value),
    // `score` is the strain, which the contract does not have.
    data: {
      calories: kilocalories(item.at('kilojoules')),
      average_hr: rounded(item.at('average_heart_rate')),
      max_hr: rounded(item.at('max_heart_rate')),
      steps: rounded(item.at('total_steps')),
    },
  });
}

/** Workouts of a cycle. Whether a workout is scored is in the separate list of activities. */
export function mapWorkouts(cycle: Cycle, context: WhoopContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const [list, activities] = [cycle.record.at('workouts'), cycle.record.at('v2_activities')];
  const known = activities.isMissing ? [] : readEach('workouts', activities, [], (item) => item);
  const pending = new Set(known.filter((item) => !isComplete(item.at('score_state'))).map((item) => item.at('id').value));
  return list.isMissing ? [] : readEach('workouts', list, quarantined, (item) => readWorkout(item, cycle, pending, context));
}
