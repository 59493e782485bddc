import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { positiveOf, readSpan, watch, type GarminContext } from '../garmin.ts';
import { onceEach, readSampleMap } from '../sample-map.ts';

export type GarminMapper = (items: JsonNode, context: GarminContext, quarantined: Quarantined[]) => CanonicalRecord[];

/** A mapper for summaries that consist of one map of readings. */
function readingsOf(resource: string, key: string, lowest: number, otherKey = key): GarminMapper {
  return (items, context, quarantined) => {
    const samples = readEach(resource, items, quarantined, (item) =>
      readSampleMap(resource, item.at(item.at(key).isMissing ? otherKey : key), readSpan(item, context), lowest, quarantined),
    );
    return context.samples(resource, watch, onceEach(samples.flat()));
  };
}

/** `stressDetails`: 0 to 100, every three minutes. There is no resource for the body battery in it. */
export const mapStressDetails = readingsOf('stress_level', 'timeOffsetStressLevelValues', 0);
/** `pulseox`. */
export const mapPulseOx = readingsOf('blood_oxygen', 'timeOffsetSpo2Values', 1);
/** `allDayRespiration`; one client reads another name of the map. */
export const mapRespiration = readingsOf('respiratory_rate', 'timeOffsetEpochToBreaths', 1, 'timeOffsetRespirationValues');
/** `hrv`: RMSSD in ms; for a night with only an average, that value at the end of the night. */
export function mapHrv(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const samples = readEach('hrv', items, quarantined, (item): Sample[] => {
    const span = readSpan(item, context);
    const readings = readSampleMap('hrv', item.at('hrvValues'), span, 1, quarantined);
    const average = positiveOf(item, 'lastNightAvg');
    if (readings.length > 0 || average === null) return readings;
    return [{ ts: span.endMs, value: average, timezoneOffset: span.offsetAt(span.endMs) }];
  });
  return context.samples('hrv', watch, onceEach(samples.flat()));
}

/** `skinTemp`: the night's deviation from the user's usual value. */
export function mapSkinTemp(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const samples = readEach('body_temperature_delta', items, quarantined, (item): Sample | undefined => {
    const { startMs, endMs, offset } = readSpan(item, context);
    const value = item.at('avgDeviationCelsius').optional((node) => node.number());
    const where = { extra: { sensor_location: 'wrist' } };
    return value === null ? undefined : { ts: startMs, end: endMs, value, timezoneOffset: offset, ...where };
  });
  return context.samples('body_temperature_delta', watch, onceEach(samples));
}
