import { describe, expect, it } from 'vitest';
import { createSecret, parseSecret, signMessage, type SigningKey } from './sign.ts';

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = 1_614_265_330;
const body = Buffer.from('{"test": 2432232314}');
const known = parseSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
const knownSignature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

describe('signMessage', () => {
  it('reproduces the signature of the published example', () => {
    expect(signMessage([{ scheme: 'v1', key: known, expiresAtMs: null }], id, timestamp, body)).toBe(knownSignature);
  });

  it('signs with every key that has not expired', () => {
    const other = parseSecret(createSecret());
    const keys: SigningKey[] = [
      { scheme: 'v1', key: other, expiresAtMs: null },
      { scheme: 'v1', key: known, expiresAtMs: timestamp * 1000 + 1 },
      { scheme: 'v1', key: other, expiresAtMs: timestamp * 1000 },
    ];
    const entries = signMessage(keys, id, timestamp, body).split(' ');
    expect(entries).toHaveLength(2);
    expect(entries[1]).toBe(knownSignature);
  });
});

describe('secrets', () => {
  it('have 24 random bytes and can be decoded again', () => {
    const secret = createSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(secret).not.toBe(createSecret());
    expect(parseSecret(secret).symmetricKeySize).toBe(24);
  });

  it.each([
    '',
    'whsec_',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_c2hvcnQ=',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!',
    `whsec_${Buffer.alloc(65).toString('base64')}`,
  ])('are rejected unless they are whsec_ and base64 of 24 to 64 bytes: %s', (secret) => {
    expect(() => parseSecret(secret)).toThrow(expect.objectContaining({ code: 'secret_invalid' }));
  });
});
