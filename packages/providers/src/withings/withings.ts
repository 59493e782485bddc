import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';
import { openZone, type Zone } from '../kit/time/zone.ts';

export const withingsSlug = 'withings';
/** `source_id` on the wire. */
export const withingsSourceId = 7;

/** Source types; there is none for a mat under the mattress or a thermometer. */
export const sources = {
  watch: 'watch',
  scale: 'scale',
  cuff: 'cuff',
  app: 'app',
  phone: 'phone',
  mat: 'unknown',
  thermometer: 'unknown',
} as const;

/** Every kind of source of this provider. */
export const anySource: readonly string[] = [...new Set(Object.values(sources))];

/** What mappers get beside the response. */
export interface WithingsContext extends RecordMaker {
  /** The zone that a row names; if it names none, that of the account on the instant's day. */
  zoneFor(name: unknown, ms: number): Zone;
}

export function createContext(user: PullUser): WithingsContext {
  const maker = createRecordMaker(withingsSlug, user);
  const opened = new Map<string, Zone | undefined>();
  const open = (name: string): Zone | undefined => {
    if (!opened.has(name)) opened.set(name, openZone(name));
    return opened.get(name);
  };
  return { ...maker, zoneFor: (name, ms) => (typeof name === 'string' ? open(name) : undefined) ?? maker.zoneOn(msToDay(ms)) };
}

/** Withings writes zero for missing measurements: null for zero and for a missing value. */
export function measured(node: JsonNode): number | null {
  return node.optional((given) => given.amount()) || null;
}

export function rounded(node: JsonNode): number | null {
  const value = measured(node);
  return value === null ? null : Math.round(value);
}

/** An epoch in seconds, as ms. */
export function instant(node: JsonNode): number {
  return Math.round(node.amount() * 1000);
}

/** An object that Withings writes as an empty list when it is empty; its keys are epochs in seconds. */
export function byEpoch(node: JsonNode): readonly (readonly [ms: number, node: JsonNode])[] {
  if (node.isMissing || (Array.isArray(node.value) && node.value.length === 0)) return [];
  if (typeof node.value !== 'object' || Array.isArray(node.value)) throw node.fail('unknown_shape');
  return Object.keys(node.value as object).map((key) => {
    if (!/^\d{9,11}$/.test(key)) throw node.at(key).fail('bad_time');
    return [Number(key) * 1000, node.at(key)] as const;
  });
}
