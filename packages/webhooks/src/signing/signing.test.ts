import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { createSecret, parseSecret, signMessage } from './sign.ts';
import { createSigningSecret, parseSigningSecret, publicKeyBytes, publicKeyOf } from './ed25519.ts';
import { toJwkSet } from './jwk-set.ts';
import { openSigningKeys, type KeyColumns } from './open-keys.ts';
import { rotatedKeys } from './rotation.ts';
import { newSigningColumns, readPublicKeys, signingColumns } from './signing-columns.ts';
import { sealSecret } from '../model/sealed.ts';

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = 1_614_265_330;
const body = Buffer.from('{"test": 2432232314}');
const known = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
const knownPublic = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';
const knownSignature = 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==';

describe('ed25519 keys', () => {
  it('produce the signature and public key of the published example', () => {
    const keys = [{ scheme: 'v1a', key: parseSigningSecret(known), expiresAtMs: null }] as const;
    expect(signMessage(keys, id, timestamp, body)).toBe(knownSignature);
    expect(publicKeyOf(known)).toBe(knownPublic);
  });

  it('are generated as seed and public key, and verify their own signatures', async () => {
    const secret = createSigningSecret();
    expect(Buffer.from(secret.slice(5), 'base64').subarray(32)).toEqual(publicKeyBytes(publicKeyOf(secret)));
    const [, signature = ''] = signMessage(
      [{ scheme: 'v1a', key: parseSigningSecret(secret), expiresAtMs: null }],
      id,
      timestamp,
      body,
    ).split(',');
    const [jwk] = (await toJwkSet([{ key: publicKeyOf(secret), expiresAtMs: null }], 0)).keys;
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    expect(verify(null, signed, createPublicKey({ key: jwk ?? {}, format: 'jwk' }), Buffer.from(signature, 'base64'))).toBe(true);
    expect(createSigningSecret()).not.toBe(secret);
  });

  const otherHalf = Buffer.concat([Buffer.from(known.slice(5), 'base64').subarray(0, 32), Buffer.alloc(32, 1)]).toString('base64');
  it.each(['', 'whsk_', known.replace('whsk_', 'whsec_'), known.slice(0, -4), `${known.slice(0, -3)}!==`, `whsk_${otherHalf}`])(
    'are refused when they are not whsk_ and two halves that belong together: %s',
    (text) => {
      expect(() => parseSigningSecret(text)).toThrow(expect.objectContaining({ code: 'secret_invalid' }));
    },
  );

  it.each(['', 'whpk_', 'whpk_c2hvcnQ=', knownPublic.replace('whpk_', 'whsk_')])('refuses %s as a public key', (text) => {
    expect(() => publicKeyBytes(text)).toThrow(expect.objectContaining({ code: 'secret_invalid' }));
  });
});

describe('toJwkSet', () => {
  it('identifies a key by its thumbprint, as in the example of RFC 8037', async () => {
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    const key = `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
    expect((await toJwkSet([{ key, expiresAtMs: null }], 0)).keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', x },
    ]);
  });

  it('lists replaced keys until they expire', async () => {
    const keys = [
      { key: publicKeyOf(createSigningSecret()), expiresAtMs: null },
      { key: publicKeyOf(createSigningSecret()), expiresAtMs: 5000 },
    ];
    expect((await toJwkSet(keys, 4999)).keys.map(({ exp }) => exp)).toEqual([undefined, 5]);
    expect((await toJwkSet(keys, 5000)).keys).toHaveLength(1);
  });
});

describe('rotatedKeys', () => {
  const previous = [
    { secret: 'b', expiresAtMs: 900 },
    { secret: 'c', expiresAtMs: 100 },
  ];

  it('keeps the replaced key and unexpired earlier ones, none for longer than the overlap', () => {
    expect(rotatedKeys({ current: 'a', previous, next: 'n' }, 100, 500)).toEqual([
      { secret: 'a', expiresAtMs: 600 },
      { secret: 'b', expiresAtMs: 600 },
    ]);
  });

  it('keeps no old key without an overlap', () => {
    expect(rotatedKeys({ current: 'a', previous, next: 'n' }, 100, 0)).toEqual([]);
  });

  it('keeps at most four keys, and never a second copy of the new one', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ secret: `k${i}`, expiresAtMs: 1000 }));
    expect(rotatedKeys({ current: 'a', previous: many, next: 'k0' }, 0, 1000).map(({ secret }) => secret)).toEqual(['a', 'k1', 'k2', 'k3']);
  });
});

describe('openSigningKeys', () => {
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
  const endpointId = 'b3f0c1de-0000-4000-8000-0000000000e1';
  const secret = createSecret();
  const columns: KeyColumns = {
    endpointId,
    signature: 'both',
    secret: sealSecret(cipher, endpointId, secret),
    previousSecrets: null,
    ...signingColumns(cipher, endpointId, known, [{ secret: createSigningSecret(), expiresAtMs: 7 }]),
  };
  const schemes = (changes: Partial<KeyColumns>) => openSigningKeys(cipher, { ...columns, ...changes }).map(({ scheme }) => scheme);

  it('returns the keys of the configured schemes, the secret first', () => {
    expect(schemes({})).toEqual(['v1', 'v1a', 'v1a']);
    expect(schemes({ signature: 'v1' })).toEqual(['v1']);
    expect(schemes({ signature: 'v1a' })).toEqual(['v1a', 'v1a']);
    const [, current, old] = openSigningKeys(cipher, columns);
    expect(current?.key.equals(parseSigningSecret(known))).toBe(true);
    expect([current?.expiresAtMs, old?.expiresAtMs]).toEqual([null, 7]);
  });

  it('falls back to the secret when there is no ed25519 key', () => {
    const [only] = openSigningKeys(cipher, { ...columns, signature: 'v1a', signingKey: null, previousSigningKeys: null });
    expect(only?.key.equals(parseSecret(secret))).toBe(true);
  });

  it('stores private keys sealed and public keys in the clear', () => {
    const made = newSigningColumns(cipher, endpointId);
    expect(readPublicKeys(made.publicKeys)).toHaveLength(1);
    expect(made.publicKeys).not.toContain('whsk_');
    expect(made.signingKey.toString('latin1')).not.toContain('whsk_');
    // A key copied to another endpoint's row cannot be decrypted.
    expect(() => openSigningKeys(cipher, { ...columns, endpointId: endpointId.replace('e1', 'e2') })).toThrow();
  });
});
