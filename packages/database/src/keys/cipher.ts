import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';

/** Encrypts columns at rest. A value names its key, so keys can be rotated row by row. */
export interface Cipher {
  /** AES-256-GCM; `context` (for example `connection:<id>`) is authenticated, so a value cannot be moved to another row. */
  seal(plain: string, context: string): Buffer;
  /** Throws AppError `cipher_key_unknown` or `cipher_broken`. */
  open(sealed: Buffer, context: string): string;
  /** As `seal`, for binary data. */
  sealBytes(plain: Buffer, context: string): Buffer;
  /** As `open`, but returns bytes; also works for sealed text. */
  openBytes(sealed: Buffer, context: string): Buffer;
  /** Id of the key that `seal` uses now. */
  readonly currentKeyId: number;
  /** Id of the key that sealed this value. */
  keyIdOf(sealed: Buffer): number;
}

/** Keys by id (1-255), 32 bytes each; the highest id seals, all of them open. */
export type CipherKeys = ReadonlyMap<number, Buffer>;

const formatVersion = 1;
const headerBytes = 2;
const nonceBytes = 12;
const tagBytes = 16;

/** The first bytes of a sealed value; no other value starts with them. */
export const sealedMarkBytes = headerBytes + nonceBytes + tagBytes;

/** Layout of a sealed value: format version, key id, nonce, tag, ciphertext. `currentKeyId` seals: the highest id, if not given. */
export function createCipher(keys: CipherKeys, currentKeyId: number = Math.max(...keys.keys())): Cipher {
  // Node would import the bytes of a key again for every value, which costs more than opening a short one.
  const imported = new Map([...keys].map(([id, key]) => [id, createSecretKey(key)]));
  const keyFor = (id: number): KeyObject => {
    const key = imported.get(id);
    if (!key)
      throw new AppError({
        code: 'cipher_key_unknown',
        kind: 'bug',
        message: 'No encryption key with this id is configured',
        details: { keyId: id },
      });
    return key;
  };
  keyFor(currentKeyId);
  const sealBytes: Cipher['sealBytes'] = (plain, context) => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', keyFor(currentKeyId), nonce).setAAD(Buffer.from(context));
    const body = [cipher.update(plain), cipher.final()];
    return Buffer.concat([Buffer.of(formatVersion, currentKeyId), nonce, cipher.getAuthTag(), ...body]);
  };
  const openBytes: Cipher['openBytes'] = (sealed, context) => {
    try {
      const nonceEnd = headerBytes + nonceBytes;
      const decipher = createDecipheriv('aes-256-gcm', keyFor(sealed[1] ?? 0), sealed.subarray(headerBytes, nonceEnd))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(nonceEnd, nonceEnd + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceEnd + tagBytes)), decipher.final()]);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError({
        code: 'cipher_broken',
        kind: 'bug',
        message: 'An encrypted value cannot be opened with its key and context',
        cause,
      });
    }
  };
  return {
    currentKeyId,
    keyIdOf: (sealed) => sealed[1] ?? 0,
    seal: (plain, context) => sealBytes(Buffer.from(plain), context),
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    sealBytes,
    openBytes,
  };
}

/** In the usual or the URL-safe alphabet; 43 characters and an optional = are exactly 32 bytes. */
const keyForm = /^([1-9]\d{0,2}):([A-Za-z0-9+/_-]{43})=?$/;

/** Reads `1:<base64>,2:<base64>`: key ids and 32-byte keys. Throws AppError `cipher_keys_invalid`, without the keys in its message. */
export function parseCipherKeys(text: string): CipherKeys {
  const keys = new Map<number, Buffer>();
  for (const part of text.split(',')) {
    const [, id, encoded = ''] = keyForm.exec(part.trim()) ?? [];
    const keyId = Number(id);
    // A part that is read as less than it says would lose keys, and with them everything that they encrypted.
    if (id === undefined || keyId > 255 || keys.has(keyId)) {
      throw new AppError({
        code: 'cipher_keys_invalid',
        kind: 'invalid',
        message:
          'Encryption keys must have the form <id>:<base64 of 32 bytes>, ids 1-255, each once, separated by commas (no other separator, no line breaks); `openssl rand -base64 32` makes a key',
      });
    }
    keys.set(keyId, Buffer.from(encoded, 'base64'));
  }
  return keys;
}
