import type { Quarantined } from '@pulsewire/contract';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { keyOf } from '../data-points.ts';
import { readCivilDate, readEachPoint, readReal } from '../read-point.ts';
import { readTemperatureDelta } from '../series.ts';

/** Fields that a main sleep takes from the daily values of the day on which it ended. */
export type NightFacts = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

type ReadFields = (value: JsonNode) => Readonly<Record<string, unknown>>;

const readTemperatures: ReadFields = (value) => ({
  skin_temperature: readReal(value.at('nightlyTemperatureCelsius')),
  temperature_delta: readTemperatureDelta(value),
});

/** The daily data types that describe a night, in kebab case. */
export const nightTypes: Readonly<Record<string, ReadFields>> = {
  'daily-heart-rate-variability': (value) => ({
    average_hrv: value.at('averageHeartRateVariabilityMilliseconds').optional((node) => roundTo(node.amount(), 3)),
  }),
  'daily-resting-heart-rate': (value) => ({ hr_resting: Math.round(value.at('beatsPerMinute').amount()) }),
  'daily-respiratory-rate': (value) => ({ respiratory_rate: value.at('breathsPerMinute').amount() }),
  'daily-sleep-temperature-derivations': readTemperatures,
};

/** Merges pages of daily values by date. */
export function readNightFacts(
  pages: readonly { readonly type: string; readonly body: unknown }[],
  quarantined: Quarantined[],
): NightFacts {
  const facts = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { type, body } of pages) {
    const read = nightTypes[type];
    if (read === undefined) continue;
    const days = readEachPoint('sleep', body, quarantined, (point) => {
      const value = point.at(keyOf(type));
      return [readCivilDate(value.at('date')), read(value)] as const;
    });
    for (const [day, fields] of days) facts.set(day, { ...facts.get(day), ...fields });
  }
  return facts;
}
