import { utcDay } from '@pulsewire/kernel';
import type { Zone } from '../kit/time/zone.ts';
import type { PhoneItem } from './types.ts';

/** Why an item, or a value of it, is left out; the last four name the unit, type, stage or value. */
export type LeftOut =
  | 'bad_time'
  | 'bad_number'
  | 'unknown_shape'
  | 'other_measure'
  | 'unknown_unit'
  | 'no_series'
  | 'no_stage'
  | 'no_field';

export const isItem = (value: unknown): value is PhoneItem => typeof value === 'object' && value !== null && !Array.isArray(value);
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** Texts that become part of a key in the database, which limits their length and holds no NUL. */
const keyTextMax = 200;
export const keyTextOf = (value: unknown): string | null => textOf(value)?.replaceAll('\0', '').slice(0, keyTextMax).toWellFormed() || null;
/** An id as part of a key; null for one that is too long, which would be another one if it were cut. */
export const idOf = (value: unknown): string | null => ((textOf(value)?.length ?? 0) > keyTextMax ? null : keyTextOf(value));
export const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
export const partOf = (item: PhoneItem, key: string): PhoneItem => {
  const part = item[key];
  return isItem(part) ? part : {};
};
export const metadataOf = (item: PhoneItem): PhoneItem => partOf(item, 'metadata');

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The row of a table; names of things that every object has are none. */
export function rowOf<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** No one alive was measured before. */
const earliestMs = Date.UTC(1900, 0, 1);

/** ms since the epoch; null when it is no instant, or one before 1900. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !instant.test(value)) return null;
  const ms = Date.parse(value);
  return ms >= earliestMs ? ms : null;
}

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Start and end of an item; null when one is no instant, or the end is before the start. */
export function spanOf(item: PhoneItem): Span | null {
  const startMs = instantOf(item['startDate']);
  const endMs = item['endDate'] == null ? startMs : instantOf(item['endDate']);
  return startMs === null || endMs === null || endMs < startMs ? null : { startMs, endMs };
}

/** Android's own limit, in seconds. */
const offsetMax = 18 * 3600;

/** Seconds east of UTC: of the item itself, else of the zone that it names, else of the phone's or user's zone. */
export function offsetOf(item: PhoneItem, ms: number, zone: Zone, openZoneOf: (name: string) => Zone | null): number | null {
  const text = textOf(item['zoneOffset']);
  if (text !== null) {
    if (text === 'Z') return 0;
    const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
    const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    if (sign !== undefined && offset <= offsetMax) return (sign === '-' ? -offset : offset) || 0;
  }
  const named = textOf(metadataOf(item)['HKTimeZone']);
  return ((named && openZoneOf(named)) || zone).offsetAt(ms);
}

/** The local day of an instant at an offset, in days since 1 January 1970. */
export function dayNumberAt(ms: number, offset: number | null): number {
  return Math.floor((ms / 1000 + (offset ?? 0)) / 86_400);
}

/** The local day of an instant at an offset. */
export function dayAt(ms: number, offset: number | null): string {
  return utcDay(ms + (offset ?? 0) * 1000);
}
