import { createSecretKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import { hmacSha256 } from './hmac.ts';

const prefix = 'whsec_';
const keyBytesMin = 24;
const keyBytesMax = 64;

/** A signing key and when it expires (ms since the epoch; null: when it is replaced). */
export interface SigningKey {
  /** v1: HMAC-SHA256 with the endpoint's secret. v1a: ed25519 with its signing key. */
  readonly scheme: 'v1' | 'v1a';
  readonly key: KeyObject;
  readonly expiresAtMs: number | null;
}

/** A fresh secret: `whsec_` and the base64 of 24 random bytes. */
export function createSecret(): string {
  return prefix + randomBytes(keyBytesMin).toString('base64');
}

/** The key of a secret: 24 to 64 bytes in base64 after `whsec_`. Throws AppError `secret_invalid`. */
export function parseSecret(secret: string): KeyObject {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips characters that are not base64; encoding the bytes again reveals that.
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  if (!isBase64 || bytes.length < keyBytesMin || bytes.length > keyBytesMax) {
    throw new AppError({
      code: 'secret_invalid',
      kind: 'invalid',
      message: 'A secret must be whsec_ followed by the base64 of 24 to 64 bytes',
    });
  }
  return createSecretKey(bytes);
}

/**
 * The value of `webhook-signature` (Standard Webhooks): one signature over `<id>.<timestamp>.<body>` for each active key, in key order.
 * Receivers accept a message if any entry verifies.
 */
export function signMessage(keys: readonly SigningKey[], messageId: string, timestampSeconds: number, body: Buffer): string {
  const head = `${messageId}.${timestampSeconds}.`;
  let text = '';
  for (const { scheme, key, expiresAtMs } of keys) {
    if (expiresAtMs !== null && expiresAtMs <= timestampSeconds * 1000) continue;
    const signature = scheme === 'v1' ? hmacSha256(key, head, body) : ed25519(key, head, body);
    text += text === '' ? `${scheme},${signature}` : ` ${scheme},${signature}`;
  }
  return text;
}

/** ed25519 has no streaming form, so the message is joined into one buffer. */
const ed25519 = (key: KeyObject, head: string, body: Buffer): string =>
  sign(null, Buffer.concat([Buffer.from(head), body]), key).toString('base64');
