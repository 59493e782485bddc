import { calculateJwkThumbprint } from 'jose';
import type { JwkSetBody } from '@pulsewire/contract';
import { publicKeyBytes } from './ed25519.ts';

/** A verification key and when it expires (ms since the epoch; null: when it is replaced). */
export interface PublicKey {
  /** `whpk_…` */
  readonly key: string;
  readonly expiresAtMs: number | null;
}

/**
 * The keys as a JWK set (RFC 8037), without expired ones. `kid` is the thumbprint of RFC 7638, which anyone who has the key can compute;
 * `exp` is when a replaced key stops signing, in Unix seconds.
 */
export async function toJwkSet(keys: readonly PublicKey[], nowMs: number): Promise<JwkSetBody> {
  const active = keys.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);
  return { keys: await Promise.all(active.map(toJwk)) };
}

async function toJwk({ key, expiresAtMs }: PublicKey): Promise<JwkSetBody['keys'][number]> {
  const identity = { kty: 'OKP', crv: 'Ed25519', x: publicKeyBytes(key).toString('base64url') } as const;
  const expiry = expiresAtMs === null ? {} : { exp: Math.floor(expiresAtMs / 1000) };
  return { ...identity, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(identity), ...expiry };
}
