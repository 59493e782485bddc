import avsc from 'avsc';
import type { AvroNode } from './avro-schema.ts';

function canRead(reader: AvroNode, writer: AvroNode): boolean {
  try {
    // The library's types declare fewer attributes than Avro allows.
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

interface NamedSchema {
  readonly name: string;
  readonly schema: AvroNode;
}

/** The record of a file: `Activity.avsc`, or a published version such as `Activity.2.avsc`. */
export function recordOfFile(file: string): string {
  return file.slice(0, file.indexOf('.'));
}

/** The incompatibilities of the current records with earlier versions (file names and texts), one line each. */
export function incompatibilities(
  earlier: Iterable<readonly [file: string, text: string]>,
  current: readonly NamedSchema[],
): readonly string[] {
  return [...earlier].flatMap(([file, text]) => {
    const now = current.find(({ name }) => name === recordOfFile(file));
    if (now === undefined) return [`${file}: the record is gone`];
    const reason = incompatibility(JSON.parse(text) as AvroNode, now.schema);
    return reason === null ? [] : [`${file}: ${reason}`];
  });
}
