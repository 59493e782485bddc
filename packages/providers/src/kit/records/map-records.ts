import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import type { MappedRecords } from '../types/connector.ts';
import { readEach, readWhole, type JsonNode } from '../values/json-node.ts';

type Read = CanonicalRecord | readonly CanonicalRecord[] | undefined;

/** The records of a response that describes one thing; when it cannot be read, it is quarantined as a whole. */
export function mapWhole(resource: string, read: (quarantined: Quarantined[]) => Read): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readWhole(resource, quarantined, () => read(quarantined));
  return { records: records === undefined ? [] : [records].flat(), quarantined };
}

/** The records of a list; bad items are quarantined, and the others kept. `read` returns undefined to drop an item. */
export function mapEach(resource: string, list: JsonNode, read: (item: JsonNode, quarantined: Quarantined[]) => Read): MappedRecords {
  const quarantined: Quarantined[] = [];
  return { records: readEach(resource, list, quarantined, (item) => read(item, quarantined)).flat(), quarantined };
}
