import type { Sample } from '@pulsewire/contract';
import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';
import type { Zone } from '../kit/time/zone.ts';
import type { JsonNode } from '../kit/values/json-node.ts';

export const ultrahumanSlug = 'ultrahuman';
/** `source_id` on the wire. */
export const ultrahumanSourceId = 31;
export const ring = 'ring';
/** Glucose comes from a patch. */
export const patch = 'automatic';

export type UltrahumanContext = RecordMaker;

export const createContext = recordMakersOf(ultrahumanSlug);

/** An instant in epoch seconds, as ms. */
export function readSeconds(node: JsonNode): number {
  return Math.round(node.amount() * 1000);
}

/** The readings of a `values` or `data` list; those without a value are left out. */
export function readReading(item: JsonNode): { readonly ms: number; readonly value: number } | undefined {
  const ms = readSeconds(item.at('timestamp'));
  const value = item.at('value').optional((node) => node.number());
  return value === null ? undefined : { ms, value };
}

/**
 * The names under which an object has each kind of number, with the factor to ours. An object may have several numbers side by side, such as
 * seconds, minutes and a percentage of sleep, so a number is read by what it is, never because it comes first.
 */
const names = {
  duration: { seconds: 1, minutes: 60, value: 1 },
  score: { score: 1, value: 1 },
  celsius: { celsius: 1, value: 1 },
  plain: { value: 1 },
} as const;

export type FigureKind = keyof typeof names;

/** The number of this kind in an object; null when there is none. */
export function figureOf(node: JsonNode, kind: FigureKind): number | null {
  for (const [key, factor] of Object.entries(names[kind])) {
    const value = node.at(key).optional((inner) => inner.number());
    if (value !== null) return value * factor;
  }
  return null;
}

/** A sample with the offset of the user's zone. */
export function sampleAt(zone: Zone, ms: number, value: number): Sample {
  return { ts: ms, value, timezoneOffset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms) };
}
