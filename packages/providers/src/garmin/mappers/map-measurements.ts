import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { addDays, msToDay, utcMidnight } from '../../kit/time/days.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { parseInstant, parseWallClock } from '../../kit/time/time.ts';
import { app, cuff, positiveOf, readInstant, readOffset, scale, watch, type GarminContext } from '../garmin.ts';
import { onceEach } from '../sample-map.ts';

interface Moment {
  readonly ts: number;
  readonly timezoneOffset: number | null;
}

const parseGmt = (text: string): number | undefined => parseInstant(text)?.ms ?? parseWallClock(text);

/** Seconds since the epoch; observed once under another name too, in an undocumented format. */
function readMoment(item: JsonNode): Moment {
  const other = item.at('measurementTimestampGMT');
  const timezoneOffset = readOffset(item.at('measurementTimeOffsetInSeconds'));
  const isOther = item.at('measurementTimeInSeconds').isMissing && !other.isMissing;
  if (isOther && typeof other.value === 'string') return { ts: other.time(parseGmt), timezoneOffset };
  return { ts: readInstant(isOther ? other : item.at('measurementTimeInSeconds')), timezoneOffset };
}

/** `bodyComps`: one weighing each. Converts grams to kilograms and to percentages of the weight. */
export function mapBodyComps(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  return readEach('body', items, quarantined, (item): CanonicalRecord[] => {
    const moment = readMoment(item);
    const [grams, fat] = [positiveOf(item, 'weightInGrams'), positiveOf(item, 'bodyFatInPercent')];
    if (grams === null && fat === null) return [];
    const weight = grams === null ? null : roundTo(grams / 1000, 3);
    const share = (key: string) => {
      const part = positiveOf(item, key);
      return part === null || grams === null ? null : roundTo((part / grams) * 100, 1);
    };
    const day = msToDay(moment.ts + (moment.timezoneOffset ?? 0) * 1000);
    const body = context.summary({
      raw: item,
      resource: 'body',
      sourceType: scale,
      externalId: item.at('summaryId').optional((node) => node.id()) ?? String(moment.ts / 1000),
      calendarDate: day,
      at: moment.ts,
      data: {
        weight,
        fat,
        water_percentage: positiveOf(item, 'bodyWaterInPercent'),
        muscle_mass_percentage: share('muscleMassInGrams'),
        bone_mass_percentage: share('boneMassInGrams'),
        body_mass_index: positiveOf(item, 'bodyMassIndex'),
      },
    });
    const sample = (resource: string, value: number | null) =>
      value === null ? [] : context.samples(resource, scale, [{ ...moment, value }]);
    return [body, ...sample('weight', weight), ...sample('fat', fat)];
  }).flat();
}

/** `bloodPressures`: one reading each, from a cuff or entered manually, with the measured pulse. */
export function mapBloodPressures(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const read = readEach('blood_pressure', items, quarantined, (item) => {
    const moment = readMoment(item);
    const pressure: Sample = { ...moment, value: item.at('systolic').amount(), value2: item.at('diastolic').amount() };
    const pulse = positiveOf(item, 'pulse');
    const sourceType = item.at('sourceType').value === 'MANUAL' ? app : cuff;
    return { sourceType, pressure, pulse: pulse === null ? [] : [{ ...moment, value: pulse }] };
  });
  return [...Map.groupBy(read, ({ sourceType }) => sourceType)].flatMap(([sourceType, readings]) => [
    ...context.samples('blood_pressure', sourceType, onceEach(readings.map(({ pressure }) => pressure))),
    ...context.samples('heartrate', sourceType, onceEach(readings.flatMap(({ pulse }) => pulse))),
  ]);
}

/** `userMetrics`: one value per day, without time or zone. The value for running takes precedence over that for cycling. */
export function mapUserMetrics(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const samples = readEach('vo2_max', items, quarantined, (item): Sample | undefined => {
    const day = item.at('calendarDate').day();
    const value = positiveOf(item, 'vo2Max') ?? positiveOf(item, 'vo2MaxCycling');
    return value === null ? undefined : { ts: utcMidnight(day), end: utcMidnight(addDays(day, 1)), value, timezoneOffset: null };
  });
  return context.samples('vo2_max', watch, onceEach(samples));
}
