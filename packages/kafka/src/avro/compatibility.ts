import avsc from 'avsc';
import type { AvroNode } from './avro-schema.ts';

function canRead(reader: AvroNode, writer: AvroNode): boolean {
  try {
    // The library's types know fewer attributes than Avro allows.
    avsc.Type.forSchema(reader as unknown as avsc.Schema).createResolver(avsc.Type.forSchema(writer as unknown as avsc.Schema));
    return true;
  } catch {
    return false;
  }
}

/** Why these two versions of a record are not fully compatible; null when each can read records of the other. */
export function incompatibility(older: AvroNode, newer: AvroNode): 'new_cannot_read_old' | 'old_cannot_read_new' | null {
  if (!canRead(newer, older)) return 'new_cannot_read_old';
  if (!canRead(older, newer)) return 'old_cannot_read_new';
  return null;
}
