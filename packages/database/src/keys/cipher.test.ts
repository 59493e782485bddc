import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCipher, parseCipherKeys } from './cipher.ts';

const first = randomBytes(32);
const second = randomBytes(32);

describe('cipher', () => {
  test('opens a value only with its key and context', () => {
    const cipher = createCipher(new Map([[1, first]]));
    const sealed = cipher.seal('refresh-token', 'connection:a');
    expect(cipher.open(sealed, 'connection:a')).toBe('refresh-token');
    expect(() => cipher.open(sealed, 'connection:b')).toThrow(expect.objectContaining({ code: 'cipher_broken' }));
  });

  test('returns any bytes unchanged, and only under their context', () => {
    const cipher = createCipher(new Map([[1, first]]));
    const bytes = Buffer.from([0xff, 0xfe, 0, 0xc3, 0x28, ...randomBytes(500)]);
    const sealed = cipher.sealBytes(bytes, 'vault:a');
    expect(cipher.openBytes(sealed, 'vault:a')).toEqual(bytes);
    expect(sealed.includes(bytes.subarray(0, 20))).toBe(false);
    expect(() => cipher.openBytes(sealed, 'vault:b')).toThrow(expect.objectContaining({ code: 'cipher_broken' }));
    expect(cipher.openBytes(cipher.seal('é', 'c'), 'c').toString()).toBe('é');
  });

  test('opens old values after a rotation, and seals new ones with the new key', () => {
    const old = createCipher(new Map([[1, first]])).seal('token', 'c');
    const rotated = createCipher(
      new Map([
        [1, first],
        [2, second],
      ]),
    );
    expect(rotated.open(old, 'c')).toBe('token');
    expect(rotated.keyIdOf(old)).toBe(1);
    expect(rotated.keyIdOf(rotated.seal('token', 'c'))).toBe(2);
  });

  test('names a missing key, and detects a flipped bit', () => {
    const sealed = createCipher(new Map([[2, second]])).seal('token', 'c');
    expect(() => createCipher(new Map([[1, first]])).open(sealed, 'c')).toThrow(
      expect.objectContaining({ code: 'cipher_key_unknown', details: { keyId: 2 } }),
    );
    const broken = Buffer.from(sealed);
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    expect(() => createCipher(new Map([[2, second]])).open(broken, 'c')).toThrow(expect.objectContaining({ code: 'cipher_broken' }));
  });

  test('reads key lists with their ids, and rejects ambiguous ones', () => {
    expect(parseCipherKeys(`1:${first.toString('base64')}, 2:${second.toString('base64')}`)).toEqual(
      new Map([
        [1, first],
        [2, second],
      ]),
    );
    for (const bad of ['', '1:abc', `0:${first.toString('base64')}`, `1:${first.toString('base64')},1:${first.toString('base64')}`]) {
      expect(() => parseCipherKeys(bad)).toThrow(expect.objectContaining({ code: 'cipher_keys_invalid' }));
    }
  });

  const [one, two] = [first.toString('base64'), second.toString('base64')];

  test.each([
    ['a semicolon', `1:${one};2:${two}`],
    ['a blank', `1:${one} 2:${two}`],
    ['a line break', `1:${one}\n2:${two}`],
    ['a third part', `1:${one}:x`],
    ['an equals sign more', `1:${one}=`],
    ['another character inside', `1:${one.slice(0, 20)}*${one.slice(20)}`],
    ['more characters at the end', `1:${one}AAAA`],
    ['an id as 1e1', `1e1:${one}`],
    ['an id as 0x1', `0x1:${one}`],
    ['an id as 01', `01:${one}`],
    ['an id of 256', `256:${one}`],
    ['a comma at the end', `1:${one},`],
  ])('refuses a key list with %s instead of reading less than it says, and shows no key', (_, text) => {
    expect(() => parseCipherKeys(text)).toThrow(expect.objectContaining({ code: 'cipher_keys_invalid' }));
    expect(() => parseCipherKeys(text)).not.toThrow(one.slice(0, 20));
  });

  test('reads keys in the URL-safe alphabet and without the last equals sign as the same keys', () => {
    const key = Buffer.alloc(32, 0xfb);
    for (const encoded of [key.toString('base64'), key.toString('base64url')])
      expect(parseCipherKeys(`255:${encoded}`)).toEqual(new Map([[255, key]]));
  });
});
