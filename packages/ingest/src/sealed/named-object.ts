import { createHash } from 'node:crypto';
import type { VaultCipher } from './seal-part.ts';

/** An object that is to be read by itself, as it stands in its window. */
export interface NamedObject {
  /** Tells it from others; where it is sealed, a hash of it. '' for a window of days. */
  readonly objectId: string;
  /** null: the id opens nothing. */
  readonly objectSealed: Buffer | null;
}

/** What a sealed id is bound to: it opens for no other connection. */
export function objectContext(connectionId: string, objectId: string): string {
  return `object:${connectionId}:${objectId}`;
}

/** An object as it may lie in a table. What it is told from others by must stay the same whenever it is named, and sealed values do not. */
export function nameObject(
  cipher: VaultCipher,
  connectionId: string,
  { objectId, isSecret }: { readonly objectId: string; readonly isSecret?: true },
): NamedObject {
  if (isSecret !== true) return { objectId, objectSealed: null };
  const hash = createHash('sha256').update(objectId).digest('hex');
  return { objectId: hash, objectSealed: cipher.sealBytes(Buffer.from(objectId), objectContext(connectionId, hash)) };
}

/** The id that the provider gave. Throws AppError `cipher_key_unknown` or `cipher_broken`. */
export function openObject(cipher: VaultCipher, connectionId: string, { objectId, objectSealed }: NamedObject): string {
  return objectSealed ? cipher.openBytes(objectSealed, objectContext(connectionId, objectId)).toString('utf8') : objectId;
}
