import type { KeyObject } from 'node:crypto';
import type { Cipher } from '@pulsewire/database';
import { openPreviousSecrets, openSecret } from '../model/sealed.ts';
import { parseSecret, type SigningKey } from './sign.ts';
import { parseSigningSecret } from './ed25519.ts';
import type { PreviousKey } from './rotation.ts';
import { openPreviousSigningKeys, openSigningKey } from './signing-columns.ts';

/** Columns of webhook_endpoints that determine the signing keys. */
export interface KeyColumns {
  readonly endpointId: string;
  readonly signature: 'v1' | 'v1a' | 'both';
  readonly secret: Buffer;
  readonly previousSecrets: Buffer | null;
  readonly signingKey: Buffer | null;
  readonly previousSigningKeys: Buffer | null;
}

function keysOf(
  scheme: SigningKey['scheme'],
  parse: (text: string) => KeyObject,
  current: string,
  previous: readonly PreviousKey[],
): readonly SigningKey[] {
  return [
    { scheme, key: parse(current), expiresAtMs: null },
    ...previous.map(({ secret, expiresAtMs }) => ({ scheme, key: parse(secret), expiresAtMs })),
  ];
}

/**
 * The keys that sign an endpoint's messages, decrypted and parsed once for the hot path. An endpoint configured for v1a without an ed25519
 * key signs with its secret, because a message must never go out unsigned. Throws AppErrors of the cipher, and `secret_invalid`.
 */
export function openSigningKeys(cipher: Cipher, columns: KeyColumns): readonly SigningKey[] {
  const { endpointId, signature, secret, previousSecrets, signingKey, previousSigningKeys } = columns;
  const symmetric = () =>
    keysOf('v1', parseSecret, openSecret(cipher, endpointId, secret), openPreviousSecrets(cipher, endpointId, previousSecrets));
  if (signature === 'v1' || signingKey === null) return symmetric();
  const asymmetric = keysOf(
    'v1a',
    parseSigningSecret,
    openSigningKey(cipher, endpointId, signingKey),
    openPreviousSigningKeys(cipher, endpointId, previousSigningKeys),
  );
  return signature === 'v1a' ? asymmetric : [...symmetric(), ...asymmetric];
}
