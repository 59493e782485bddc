import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmacSha256 } from './hmac.ts';

describe('hmacSha256', () => {
  it('matches createHmac for keys of every length and bodies of every size', () => {
    const key = (bytes: number) => createSecretKey(randomBytes(bytes));
    for (let length = 24; length <= 64; length++) {
      const secret = key(length);
      for (const bytes of [0, 1, 55, 56, 63, 64, 65, 1000, 65_480, 65_536, 70_000]) {
        const [head, body] = [`msg_${bytes}.1700000000.`, randomBytes(bytes)];
        expect(hmacSha256(secret, head, body)).toBe(createHmac('sha256', secret).update(head).update(body).digest('base64'));
      }
    }
  });

  it('does not mix up keys that are used alternately', () => {
    const [one, other] = [createSecretKey(Buffer.alloc(24, 1)), createSecretKey(Buffer.alloc(32, 2))];
    const body = Buffer.from('{}');
    const first = hmacSha256(one, 'a.1.', body);
    expect(hmacSha256(other, 'a.1.', body)).not.toBe(first);
    expect(hmacSha256(one, 'a.1.', body)).toBe(first);
  });
});
