import type { OffsetOrigin } from '@pulsewire/contract';
import { openUnknownZone, openZone, type Zone } from '../kit/time/zone.ts';
import { metadataOf, offsetOf, textOf } from './read-item.ts';
import type { PhoneItem, PhoneUser } from './types.ts';

/** The zones of a batch: of an item, the last one that the phone reported, of the user. */
export interface Zones {
  offsetOf(item: PhoneItem, ms: number): number | null;
  /** As a sample has it, with where the offset came from where that is not the item. */
  offsetFields(item: PhoneItem, ms: number): { readonly timezoneOffset: number | null; readonly offsetFrom?: OffsetOrigin };
  /** Name of the item's zone: the one that it states, else the phone's where that has the item's offset; null when neither is known. */
  nameOf(item: PhoneItem, ms: number): string | null;
  note(item: PhoneItem): void;
  /** Name of the zone that the phone named last. */
  last(): string | null;
}

export function openZones(user: PhoneUser): Zones {
  const opened = new Map<string, Zone | null>();
  const open = (name: string): Zone | null => {
    if (!opened.has(name)) opened.set(name, openZone(name) ?? null);
    return opened.get(name) ?? null;
  };
  let last: string | null = null;
  const zone = (user.timeZone !== null && open(user.timeZone)) || openUnknownZone();
  const origin: OffsetOrigin = user.isZoneOfUser ? 'user' : 'provider';
  const read = (item: PhoneItem, ms: number) => offsetOf(item, ms, (last !== null && open(last)) || zone, open);
  return {
    offsetOf: read,
    offsetFields(item, ms) {
      const timezoneOffset = read(item, ms);
      const isOwn = textOf(item['zoneOffset']) !== null || textOf(metadataOf(item)['HKTimeZone']) !== null;
      return { timezoneOffset, ...(!isOwn && timezoneOffset !== null && { offsetFrom: last === null ? origin : 'provider' }) };
    },
    nameOf(item, ms) {
      const stated = textOf(metadataOf(item)['HKTimeZone']);
      if (stated !== null && open(stated)) return stated;
      const name = last ?? (user.isZoneOfUser ? null : user.timeZone);
      return name !== null && open(name)?.offsetAt(ms) === read(item, ms) ? name : null;
    },
    note(item) {
      const name = textOf(metadataOf(item)['HKTimeZone']);
      if (name !== null && name !== last && open(name)) last = name;
    },
    last: () => last,
  };
}
