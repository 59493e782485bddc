import type { Quarantined } from '@pulsewire/contract';
import { readEach, readEachOf, type JsonNode } from './json-node.ts';
import { listInstants } from '../time/list-instants.ts';
import type { LocalInstant, Zone } from '../time/zone.ts';

export interface ClockedList<T> {
  readonly resource: string;
  readonly list: JsonNode;
  readonly zone: Zone;
  /** Before the first item. */
  readonly startMs?: number;
  /** The digits of the item's wall clock. */
  wallOf(item: JsonNode): number;
  read(item: JsonNode, at: LocalInstant, wallMs: number): T | undefined;
}

/**
 * Reads a list of items with bare wall clocks, each with the instant that `listInstants` computes. Times are read before values,
 * because an item without a usable value still helps to order the others.
 */
export function readClocked<T>({ resource, list, zone, startMs, wallOf, read }: ClockedList<T>, quarantined: Quarantined[]): T[] {
  const clocked = readEach(resource, list, quarantined, (item) => ({ item, wallMs: wallOf(item) }));
  const walls = clocked.map(({ wallMs }) => wallMs);
  const instants = listInstants(zone, walls, startMs);
  return readEachOf(resource, list, clocked, quarantined, ({ item, wallMs }, index) => read(item, instants[index] as LocalInstant, wallMs));
}
