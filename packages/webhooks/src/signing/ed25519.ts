import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';

const secretPrefix = 'whsk_';
const publicPrefix = 'whpk_';
const seedBytes = 32;
const publicBytes = 32;
// DER prefixes of PKCS#8 and SubjectPublicKeyInfo for an ed25519 key.
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicHead = Buffer.from('302a300506032b6570032100', 'hex');

const spki = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(publicHead.length);

function serialize(privateKey: KeyObject): string {
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(privateHead.length);
  return secretPrefix + Buffer.concat([seed, spki(createPublicKey(privateKey))]).toString('base64');
}

function bytesAfter(prefix: string, text: string, length: number): Buffer | undefined {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips characters that are not base64; encoding the bytes again reveals that.
  return bytes.length === length && bytes.toString('base64') === encoded ? bytes : undefined;
}

/** A fresh key: `whsk_` and the base64 of 64 bytes, the seed and the public key (Standard Webhooks v1a). */
export function createSigningSecret(): string {
  return serialize(generateKeyPairSync('ed25519').privateKey);
}

/** Whether a key text is an ed25519 key; HMAC secrets begin with `whsec_`. */
export function isSigningSecret(text: string): boolean {
  return text.startsWith(secretPrefix);
}

/** Parses the private key of a `whsk_` text. Throws AppError `secret_invalid`, also when the seed and the public key do not match. */
export function parseSigningSecret(text: string): KeyObject {
  const bytes = bytesAfter(secretPrefix, text, seedBytes + publicBytes);
  if (bytes !== undefined) {
    const key = createPrivateKey({ key: Buffer.concat([privateHead, bytes.subarray(0, seedBytes)]), format: 'der', type: 'pkcs8' });
    if (spki(createPublicKey(key)).equals(bytes.subarray(seedBytes))) return key;
  }
  throw new AppError({
    code: 'secret_invalid',
    kind: 'invalid',
    message: 'An ed25519 key must be whsk_ followed by the base64 of 64 bytes: the seed and the public key',
  });
}

/** The public key as `whpk_` and base64, which receivers verify with. Throws AppError `secret_invalid`. */
export function publicKeyOf(signingSecret: string): string {
  return publicPrefix + spki(createPublicKey(parseSigningSecret(signingSecret))).toString('base64');
}

/** The 32 bytes of a `whpk_` text. Throws AppError `secret_invalid`. */
export function publicKeyBytes(text: string): Buffer {
  const bytes = bytesAfter(publicPrefix, text, publicBytes);
  if (bytes === undefined)
    throw new AppError({
      code: 'secret_invalid',
      kind: 'invalid',
      message: 'A public key must be whpk_ followed by the base64 of 32 bytes',
    });
  return bytes;
}
