import { dayMs } from '@pulsewire/kernel';
import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { ring, ringSamples, type OuraContext } from '../oura.ts';

interface Day {
  readonly item: JsonNode;
  readonly day: string;
  readonly start: { readonly ms: number; readonly offset: number };
  readonly steps: number | null;
  readonly distance: number | null;
  readonly activeCalories: number | null;
  readonly totalCalories: number | null;
  readonly minutes: Readonly<Record<'low' | 'medium' | 'high', number | null>>;
}

function readDay(item: JsonNode): Day {
  const amountOf = (key: string) => item.at(key).optional((node) => node.amount());
  const minutesOf = (key: string) => {
    const seconds = amountOf(key);
    return seconds === null ? null : Math.round(seconds / 60);
  };
  item.at('id').id();
  return {
    item,
    day: item.at('day').day(),
    start: item.at('timestamp').time(parseInstant),
    steps: amountOf('steps'),
    distance: amountOf('equivalent_walking_distance'),
    activeCalories: amountOf('active_calories'),
    totalCalories: amountOf('total_calories'),
    minutes: { low: minutesOf('low_activity_time'), medium: minutesOf('medium_activity_time'), high: minutesOf('high_activity_time') },
  };
}

function summaryOf(day: Day, context: OuraContext): CanonicalRecord {
  return context.summary({
    raw: day.item,
    resource: 'activity',
    sourceType: ring,
    externalId: day.day,
    calendarDate: day.day,
    at: utcMidnight(day.day),
    data: {
      calories_total: day.totalCalories,
      calories_active: day.activeCalories,
      steps: day.steps,
      distance: day.distance,
      ...day.minutes,
      timezone_offset: day.start.offset,
    },
  });
}

/** `daily_activity`: the day's summary, and its totals as one sample each, from 04:00, when Oura's day begins, for 24 hours. */
export function mapActivity(body: unknown, window: PullWindow | null, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const read = readEach('activity', new JsonNode(body).at('data'), quarantined, readDay);
  const days = read.filter(({ day }) => isWithin(day, window));
  const totals = (valueOf: (day: Day) => number | null): Sample[] =>
    days.flatMap((day) => {
      const value = valueOf(day);
      const { ms, offset } = day.start;
      return value === null ? [] : [{ ts: ms, end: ms + dayMs, value, timezoneOffset: offset }];
    });
  return {
    records: [
      ...days.map((day) => summaryOf(day, context)),
      ...ringSamples(
        context,
        'steps',
        totals((day) => day.steps),
      ),
      ...ringSamples(
        context,
        'distance',
        totals((day) => day.distance),
      ),
      ...ringSamples(
        context,
        'calories_active',
        totals((day) => day.activeCalories),
      ),
    ],
    quarantined,
  };
}
