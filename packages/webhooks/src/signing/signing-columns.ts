import type { Cipher } from '@pulsewire/database';
import { createSigningSecret, publicKeyOf } from './ed25519.ts';
import type { PublicKey } from './jwk-set.ts';
import type { PreviousKey } from './rotation.ts';

/** The ed25519 columns of webhook_endpoints. Public and private keys are always written together. */
export interface SigningColumns {
  readonly signingKey: Buffer;
  readonly previousSigningKeys: Buffer | null;
  /** JSON of `PublicKey[]`. */
  readonly publicKeys: string;
}

// The encryption context includes the column, so a value cannot be moved to another column of its row either.
const contextOf = (endpointId: string, column: 'signing_key' | 'previous_signing_keys'): string =>
  `webhook_endpoint:${endpointId}:${column}`;

/** The columns for these keys (`whsk_…`), sealed. */
export function signingColumns(cipher: Cipher, endpointId: string, current: string, previous: readonly PreviousKey[]): SigningColumns {
  const publicKeys: readonly PublicKey[] = [
    { key: publicKeyOf(current), expiresAtMs: null },
    ...previous.map(({ secret, expiresAtMs }) => ({ key: publicKeyOf(secret), expiresAtMs })),
  ];
  return {
    signingKey: cipher.seal(current, contextOf(endpointId, 'signing_key')),
    previousSigningKeys:
      previous.length === 0 ? null : cipher.seal(JSON.stringify(previous), contextOf(endpointId, 'previous_signing_keys')),
    publicKeys: JSON.stringify(publicKeys),
  };
}

/** The columns for an endpoint that starts to sign with ed25519. */
export function newSigningColumns(cipher: Cipher, endpointId: string): SigningColumns {
  return signingColumns(cipher, endpointId, createSigningSecret(), []);
}

/** The current key, `whsk_…`. Throws AppErrors of the cipher. */
export function openSigningKey(cipher: Cipher, endpointId: string, sealed: Buffer): string {
  return cipher.open(sealed, contextOf(endpointId, 'signing_key'));
}

/** The replaced keys. Throws AppErrors of the cipher. */
export function openPreviousSigningKeys(cipher: Cipher, endpointId: string, sealed: Buffer | null): readonly PreviousKey[] {
  return sealed === null ? [] : (JSON.parse(cipher.open(sealed, contextOf(endpointId, 'previous_signing_keys'))) as PreviousKey[]);
}

/** The public keys; empty while the endpoint has no ed25519 key. */
export function readPublicKeys(column: string | null): readonly PublicKey[] {
  return column === null ? [] : (JSON.parse(column) as PublicKey[]);
}
