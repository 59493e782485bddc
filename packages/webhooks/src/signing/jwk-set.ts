import { createHash } from 'node:crypto';
import type { JwkSetBody } from '@pulsewire/contract';
import { publicKeyBytes } from './ed25519.ts';

/** A key that receivers may verify with, and until when (ms since the epoch; null: until it is replaced). */
export interface PublicKey {
  /** `whpk_…` */
  readonly key: string;
  readonly expiresAtMs: number | null;
}

/** Of RFC 7638: the same key has the same id everywhere, and whoever has the key can compute it. */
function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
}

/** The keys as a JWK set (RFC 8037), without those whose time is over. `exp` tells until when a replaced one signs, in unix seconds. */
export function toJwkSet(keys: readonly PublicKey[], nowMs: number): JwkSetBody {
  const active = keys.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);
  return {
    keys: active.map(({ key, expiresAtMs }) => {
      const x = publicKeyBytes(key).toString('base64url');
      const expiry = expiresAtMs === null ? {} : { exp: Math.floor(expiresAtMs / 1000) };
      return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: thumbprint(x), x, ...expiry };
    }),
  };
}
