import { createHash } from 'node:crypto';
import type { VaultCipher } from './seal-part.ts';

/** An object that is to be read by itself, as stored in its window. */
export interface NamedObject {
  /** Identifies the object; a hash when the id is sealed. '' for a window of days. */
  readonly objectId: string;
  /** null: the id is not a credential. */
  readonly objectSealed: Buffer | null;
}

/** The row that a sealed id is bound to: it cannot be opened for another connection. */
export function objectContext(connectionId: string, objectId: string): string {
  return `object:${connectionId}:${objectId}`;
}

/** An object in the form in which it is stored. Its identity must be stable, and sealed values are not, hence the hash. */
export function nameObject(
  cipher: VaultCipher,
  connectionId: string,
  { objectId, isSecret }: { readonly objectId: string; readonly isSecret?: true },
): NamedObject {
  if (isSecret !== true) return { objectId, objectSealed: null };
  const hash = createHash('sha256').update(objectId).digest('hex');
  return { objectId: hash, objectSealed: cipher.sealBytes(Buffer.from(objectId), objectContext(connectionId, hash)) };
}

/** The provider's id. Throws AppError `cipher_key_unknown` or `cipher_broken`. */
export function openObject(cipher: VaultCipher, connectionId: string, { objectId, objectSealed }: NamedObject): string {
  return objectSealed ? cipher.openBytes(objectSealed, objectContext(connectionId, objectId)).toString('utf8') : objectId;
}
