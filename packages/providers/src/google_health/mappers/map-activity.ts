import type { Quarantined, Summary } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { rawOfParts } from '../../kit/records/raw-of.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { mergedSource } from '../google-health.ts';
import { readCivilDate, readEachPoint } from '../read-point.ts';

/** The data types whose totals make up a day, in kebab case. */
export const totalTypes = ['steps', 'distance', 'floors', 'total-calories', 'active-energy-burned', 'active-minutes'] as const;
export const restingType = 'daily-resting-heart-rate';

/** The pages of each type. */
export type ActivityBodies = Readonly<Partial<Record<(typeof totalTypes)[number] | typeof restingType, readonly unknown[]>>>;

type Read<T> = (value: JsonNode) => T;
/** A day's value and the point that states it. */
interface Stated<T> {
  readonly value: T;
  readonly point: JsonNode;
}

/** A missing value means that nothing was worn; a 0 means that nothing was recorded while it was. */
function readTotals<T>(
  bodies: readonly unknown[] | undefined,
  key: string,
  read: Read<T>,
  quarantined: Quarantined[],
): ReadonlyMap<string, Stated<T>> {
  const readDay = (point: JsonNode): readonly [string, Stated<T>] | undefined => {
    const value = point.at(key);
    return value.isMissing ? undefined : [readCivilDate(point.at('civilStartTime').at('date')), { value: read(value), point }];
  };
  return new Map((bodies ?? []).flatMap((body) => readEachPoint('activity', body, quarantined, readDay, 'rollupDataPoints')));
}

const sumOf =
  (field: string): Read<number | null> =>
  (value) =>
    value.at(field).optional((node) => node.amount());

interface ActiveMinutes {
  readonly LIGHT?: number;
  readonly MODERATE?: number;
  readonly VIGOROUS?: number;
}

function readMinutes(value: JsonNode): ActiveMinutes {
  const levels = value.at('activeMinutesRollupByActivityLevel').itemsOrNone();
  return Object.fromEntries(levels.map((level) => [level.at('activityLevel').text(), level.at('activeMinutesSum').amount()]));
}

function readResting(bodies: readonly unknown[] | undefined, quarantined: Quarantined[]): ReadonlyMap<string, Stated<number>> {
  const readDay = (point: JsonNode) => {
    const value = point.at('dailyRestingHeartRate');
    return [readCivilDate(value.at('date')), { value: value.at('beatsPerMinute').amount(), point }] as const;
  };
  return new Map((bodies ?? []).flatMap((body) => readEachPoint('activity', body, quarantined, readDay)));
}

/** Daily totals of several data types as one activity summary for each day of the window on which any has a value. */
export function mapActivity(bodies: ActivityBodies, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const steps = readTotals(bodies.steps, 'steps', sumOf('countSum'), quarantined);
  const distance = readTotals(bodies.distance, 'distance', sumOf('millimetersSum'), quarantined);
  const floors = readTotals(bodies.floors, 'floors', sumOf('countSum'), quarantined);
  const total = readTotals(bodies['total-calories'], 'totalCalories', sumOf('kcalSum'), quarantined);
  const active = readTotals(bodies['active-energy-burned'], 'activeEnergyBurned', sumOf('kcalSum'), quarantined);
  const minutes = readTotals(bodies['active-minutes'], 'activeMinutes', readMinutes, quarantined);
  const resting = readResting(bodies[restingType], quarantined);
  const days = new Set([steps, distance, floors, total, active, minutes].flatMap((totals) => [...totals.keys()]));
  const inWindow = [...days].filter((day) => isWithin(day, window)).toSorted();
  const records = inWindow.map((day): Summary => {
    const zone = context.zoneOn(day);
    const midnight = zone.startOfDay(day);
    const millimeters = distance.get(day)?.value ?? null;
    const kcal = (totals: ReadonlyMap<string, Stated<number | null>>) => {
      const value = totals.get(day)?.value ?? null;
      return value === null ? null : roundTo(value, 3);
    };
    return context.summary({
      raw: rawOfParts({
        steps: steps.get(day)?.point,
        distance: distance.get(day)?.point,
        floors: floors.get(day)?.point,
        'total-calories': total.get(day)?.point,
        'active-energy-burned': active.get(day)?.point,
        'active-minutes': minutes.get(day)?.point,
        [restingType]: resting.get(day)?.point,
      }),
      resource: 'activity',
      sourceType: mergedSource,
      externalId: day,
      calendarDate: day,
      at: utcMidnight(day),
      offsetFrom: zone.originAt(midnight.ms),
      data: {
        calories_total: kcal(total),
        calories_active: kcal(active),
        steps: steps.get(day)?.value ?? null,
        distance: millimeters === null ? null : roundTo(millimeters / 1000, 2),
        low: minutes.get(day)?.value.LIGHT ?? null,
        medium: minutes.get(day)?.value.MODERATE ?? null,
        high: minutes.get(day)?.value.VIGOROUS ?? null,
        floors_climbed: floors.get(day)?.value ?? null,
        time_zone: zone.name,
        timezone_offset: midnight.offset,
        heart_rate: resting.has(day) ? { resting_bpm: resting.get(day)?.value } : null,
      },
    });
  });
  return { records, quarantined };
}
