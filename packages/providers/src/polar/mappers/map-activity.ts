import { utcDay } from '@pulsewire/kernel';
import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { addDays, utcMidnight } from '../../kit/time/days.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { readClocked } from '../../kit/values/read-clocked.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { parseLocalTime } from '../time/parse-times.ts';
import { listIn, watch, type PolarContext } from '../polar.ts';

interface Day {
  readonly item: JsonNode;
  readonly day: string;
  readonly steps: number | null;
  readonly distance: number | null;
  readonly active: number | null;
  readonly total: number | null;
  readonly minutes: readonly Sample[];
}

function readMinutes(steps: JsonNode, day: string, quarantined: Quarantined[], { clock }: PolarContext): Sample[] {
  if (steps.isMissing) return [];
  const stepMs = steps.at('interval_ms').optional((node) => node.amount()) ?? 60_000;
  return readClocked(
    {
      resource: 'steps',
      list: steps.at('samples'),
      zone: clock,
      startMs: clock.startOfDay(day).ms,
      wallOf: (item) => item.at('timestamp').time(parseLocalTime),
      read: (item, { ms, offset }): Sample => ({
        ts: ms,
        end: ms + stepMs,
        value: item.at('steps').amount(),
        timezoneOffset: offset,
        offsetFrom: clock.originAt(ms),
      }),
    },
    quarantined,
  );
}

function readDay(item: JsonNode, window: PullWindow, quarantined: Quarantined[], context: PolarContext): Day | undefined {
  const day = utcDay(item.at('start_time').time(parseLocalTime));
  if (!isWithin(day, window)) return undefined;
  const amountOf = (key: string) => item.at(key).optional((node) => node.amount());
  return {
    item,
    day,
    steps: amountOf('steps'),
    distance: amountOf('distance_from_steps'),
    active: amountOf('active_calories'),
    total: amountOf('calories'),
    minutes: readMinutes(item.at('samples').at('steps'), day, quarantined, context),
  };
}

function summaryOf({ item, day, steps, distance, active, total }: Day, context: PolarContext): CanonicalRecord {
  const { ms, offset } = context.clock.startOfDay(day);
  return context.summary({
    raw: item,
    resource: 'activity',
    sourceType: watch,
    externalId: day,
    calendarDate: day,
    at: utcMidnight(day),
    offsetFrom: context.clock.originAt(ms),
    data: {
      calories_total: total,
      calories_active: active,
      steps,
      distance,
      timezone_offset: offset,
    },
  });
}

/** `activities`: a summary for each day, its steps per minute, and distance and energy as one sample each. */
export function mapActivity(body: unknown, window: PullWindow, context: PolarContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const days = readEach('activity', listIn(body), quarantined, (item) => readDay(item, window, quarantined, context));
  const totals = (valueOf: (day: Day) => number | null): Sample[] =>
    days.flatMap((day) => {
      const value = valueOf(day);
      const { ms, offset } = context.clock.startOfDay(day.day);
      const end = context.clock.startOfDay(addDays(day.day, 1)).ms;
      return value === null ? [] : [{ ts: ms, end, value, timezoneOffset: offset, offsetFrom: context.clock.originAt(ms) }];
    });
  return {
    records: [
      ...days.map((day) => summaryOf(day, context)),
      ...context.samples(
        'steps',
        watch,
        days.flatMap(({ minutes }) => minutes),
      ),
      ...context.samples(
        'distance',
        watch,
        totals(({ distance }) => distance),
      ),
      ...context.samples(
        'calories_active',
        watch,
        totals(({ active }) => active),
      ),
    ],
    quarantined,
  };
}
