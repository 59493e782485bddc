import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { msToDay, utcMidnight } from '../kit/days.ts';
import { readEach, type JsonNode } from '../kit/json-node.ts';
import { roundTo } from '../kit/numbers.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import type { Cycle } from './cycles.ts';
import { parseDuring, readOffset } from './span.ts';
import { sportSlugOf } from './sports.ts';
import { strap, type WhoopContext } from './whoop.ts';

const kilojoulesPerKcal = 4.184;

/** What is still being worked out, or cannot be, has no figures that count. */
export function isScored(node: JsonNode, key = 'score_state'): boolean {
  return node.at(key).isMissing || node.at(key).value === 'SCORED';
}

const kilocalories = (node: JsonNode) => node.optional((value) => roundTo(value.amount() / kilojoulesPerKcal, 1));
const rounded = (node: JsonNode) => node.optional((value) => Math.round(value.amount()) || null);

/** The cycle as the day's activity; none while its score is being worked out. */
export function mapActivity({ node, day, offset }: Cycle, context: WhoopContext): CanonicalRecord[] {
  const score = node.at('score');
  if (!isScored(node) || score.isMissing) return [];
  return [
    context.summary({
      resource: 'activity',
      sourceType: strap,
      externalId: day,
      calendarDate: day,
      at: utcMidnight(day),
      data: {
        calories_total: kilocalories(score.at('kilojoule')),
        calories_active: null,
        steps: null,
        distance: null,
        heart_rate: { avg_bpm: rounded(score.at('average_heart_rate')), max_bpm: rounded(score.at('max_heart_rate')) },
        timezone_offset: offset,
      },
    }),
  ];
}

function readWorkout(item: JsonNode, cycle: Cycle, context: WhoopContext): CanonicalRecord | undefined {
  const externalId = item.at('activity_id').id();
  const { startMs, endMs } = item.at('during').time(parseDuring);
  if (!isScored(item)) return undefined;
  if (endMs === null) throw item.at('during').fail('bad_time');
  const offset = readOffset(item.at('timezone_offset')) ?? cycle.offset;
  const score = item.at('score');
  return workoutRecord(context, {
    externalId,
    sourceType: strap,
    day: offset === null ? cycle.day : msToDay(startMs + offset * 1000),
    startMs,
    endMs,
    offset,
    title: null,
    sport: sportSlugOf(item.at('sport_id').value),
    data: {
      calories: kilocalories(item.at('kilojoules')),
      average_hr: rounded(item.at('average_heart_rate')),
      max_hr: rounded(item.at('max_heart_rate')),
      // A number here is the strain, which has no place in the contract.
      distance: score.at('distance_meter').optional((node) => node.amount()),
      total_elevation_gain: score.at('altitude_gain_meter').optional((node) => node.amount()),
    },
  });
}

/** Workouts of a cycle. */
export function mapWorkouts(cycle: Cycle, context: WhoopContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const list = cycle.node.at('workouts');
  return list.isMissing ? [] : readEach('workouts', list, quarantined, (item) => readWorkout(item, cycle, context));
}
