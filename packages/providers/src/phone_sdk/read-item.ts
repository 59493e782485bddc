import type { SourceRef } from '@pulsewire/contract';
import type { Zone } from '../kit/time/zone.ts';
import type { PhoneItem } from './types.ts';

/** Why an item is left out. */
export type LeftOut = 'bad_time' | 'bad_number' | 'unknown_shape' | 'other_measure';

export const isItem = (value: unknown): value is PhoneItem => typeof value === 'object' && value !== null && !Array.isArray(value);
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
export const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const partOf = (item: PhoneItem, key: string): PhoneItem => {
  const part = item[key];
  return isItem(part) ? part : {};
};
export const metadataOf = (item: PhoneItem): PhoneItem => partOf(item, 'metadata');

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** ms since the epoch; null when it is no instant. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !instant.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
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

const types: Readonly<Record<string, string>> = {
  phone: 'phone',
  watch: 'watch',
  fitness_band: 'watch',
  scale: 'scale',
  ring: 'ring',
  chest_strap: 'chest_strap',
};

const measuredBy: Readonly<Record<string, string>> = {
  interstitial_fluid: 'automatic',
  interstitial: 'automatic',
  capillary_blood: 'fingerprick',
  capillary: 'fingerprick',
};

function deviceTypeOf(source: PhoneItem): string {
  const named = types[textOf(source['deviceType'])?.toLowerCase() ?? ''];
  if (named) return named;
  const model = textOf(source['deviceModel']) ?? textOf(source['productType']) ?? '';
  if (model.startsWith('Watch')) return 'watch';
  return /^i(?:Phone|Pad|Pod)/.test(model) ? 'phone' : 'unknown';
}

/** Where an item was measured. What a person typed in comes from an app, whatever device it was typed on. */
export function sourceOf(provider: string, item: PhoneItem): SourceRef {
  const source = partOf(item, 'source');
  const metadata = metadataOf(item);
  const isTyped = source['recordingMethod'] === 'manual' || ['1', 'true', 1, true].includes(metadata['HKWasUserEntered'] as string);
  const specimen = measuredBy[textOf(metadata['specimenSource'])?.toLowerCase() ?? ''];
  const appId = textOf(source['appId']) ?? textOf(source['bundleIdentifier']);
  return { provider, type: isTyped ? 'app' : (specimen ?? deviceTypeOf(source)), appId, deviceId: null };
}

/** Seconds east of UTC: of the item itself, else of the zone that it names, else of the phone's or user's zone. */
export function offsetOf(item: PhoneItem, ms: number, zone: Zone, openZoneOf: (name: string) => Zone | null): number | null {
  const text = textOf(item['zoneOffset']);
  if (text !== null) {
    if (text === 'Z') return 0;
    const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
    if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) || 0;
  }
  const named = textOf(metadataOf(item)['HKTimeZone']);
  return ((named && openZoneOf(named)) || zone).offsetAt(ms);
}

/** The local day of an instant at an offset. */
export function dayAt(ms: number, offset: number | null): string {
  return new Date(ms + (offset ?? 0) * 1000).toISOString().slice(0, 10);
}
