import type { Quarantined } from '@pulsewire/contract';
import { readEach, readEachOf, type JsonNode } from '../../kit/values/json-node.ts';
import { entryInstants } from '../../kit/time/list-instants.ts';
import { parseWallClock } from '../../kit/time/time.ts';
import type { LocalInstant } from '../../kit/time/zone.ts';
import type { MapContext } from './map-context.ts';

export interface EntryClock {
  readonly day: string;
  /** The digits of the wall clock. */
  readonly wallMs: number;
}

/** Day and clock of a time without an offset, such as `2025-05-01T08:00:00`. */
export function clockAt(time: JsonNode): EntryClock {
  const wallMs = time.time(parseWallClock);
  return { day: time.text().slice(0, 10), wallMs };
}

export interface EntryList<T> {
  readonly resource: string;
  readonly list: JsonNode;
  clockOf(entry: JsonNode): EntryClock;
  read(entry: JsonNode, day: string, at: LocalInstant): T | undefined;
}

/**
 * Reads the irregular entries of a list, each with its instant. The order of one day's entries distinguishes the passes of a repeated
 * hour, so an entry gets the same instant however many days are read with it; entries without a usable value count for that order.
 */
export function readEntries<T>({ resource, list, clockOf, read }: EntryList<T>, context: MapContext, quarantined: Quarantined[]): T[] {
  const entries = readEach(resource, list, quarantined, (entry) => ({ entry, ...clockOf(entry) }));
  const instants = new Map<object, LocalInstant>();
  for (const [day, ofDay] of Map.groupBy(entries, (entry) => entry.day)) {
    const walls = ofDay.map(({ wallMs }) => wallMs);
    const found = entryInstants(context.zoneOn(day), walls);
    for (const [index, entry] of ofDay.entries()) instants.set(entry, found[index] as LocalInstant);
  }
  return readEachOf(resource, list, entries, quarantined, (item) => read(item.entry, item.day, instants.get(item) as LocalInstant));
}
