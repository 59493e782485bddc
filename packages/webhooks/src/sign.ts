import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';

const prefix = 'whsec_';
const keyBytesMin = 24;
const keyBytesMax = 64;

/** A key that signs, and until when (ms since the epoch; null: until it is replaced). */
export interface SigningKey {
  readonly key: KeyObject;
  readonly expiresAtMs: number | null;
}

/** A fresh secret: `whsec_` and the base64 of 24 random bytes (contract 21.1). */
export function createSecret(): string {
  return prefix + randomBytes(keyBytesMin).toString('base64');
}

/** The key of a secret: 24 to 64 bytes in base64 after `whsec_`. Throws AppError `secret_invalid`. */
export function parseSecret(secret: string): KeyObject {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips what is no base64; the way back shows whether it did.
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  if (!isBase64 || bytes.length < keyBytesMin || bytes.length > keyBytesMax) {
    throw new AppError({ code: 'secret_invalid', kind: 'invalid', message: 'A secret is whsec_ and the base64 of 24 to 64 bytes' });
  }
  return createSecretKey(bytes);
}

/**
 * The value of `webhook-signature` (Standard Webhooks v1): HMAC-SHA256 over `<id>.<timestamp>.<body>`, one entry for each key
 * that is active, the newest first.
 */
export function signMessage(keys: readonly SigningKey[], messageId: string, timestampSeconds: number, body: Buffer): string {
  const head = `${messageId}.${timestampSeconds}.`;
  let text = '';
  for (const { key, expiresAtMs } of keys) {
    if (expiresAtMs !== null && expiresAtMs <= timestampSeconds * 1000) continue;
    const signature = createHmac('sha256', key).update(head).update(body).digest('base64');
    text += text === '' ? `v1,${signature}` : ` v1,${signature}`;
  }
  return text;
}
