import { expect, it } from 'vitest';
import { decodeText, isCleanText } from './decode-text.ts';

it('reads UTF-8 as it is', () => {
  const text = 'a é € 😀 \uFFFD';
  expect(decodeText(Buffer.from(text))).toBe(text);
  expect(isCleanText(text)).toBe(true);
});

it('decodes texts that differ only in invalid bytes to different texts', () => {
  const decoded = [0x80, 0x81, 0xc0, 0xff].map((byte) => decodeText(Buffer.from([0x61, byte, 0xc3, 0xa9])));
  expect(new Set(decoded).size).toBe(4);
  expect(decoded.every((text) => text?.startsWith('a') && text.endsWith('é') && !isCleanText(text))).toBe(true);
});

it('treats overlong forms, surrogates and code points beyond Unicode as invalid, byte by byte', () => {
  for (const bytes of [
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xe2, 0x82],
  ])
    expect(decodeText(Buffer.from(bytes))).toHaveLength(bytes.length);
});

it('returns null when most bytes are invalid', () => {
  expect(decodeText(Buffer.alloc(20_000, 0xff))).toBeNull();
});

it('reports neither NUL nor an unpaired surrogate as clean', () => {
  expect(['a\0', '\uD800', 'a\uDC00b'].map(isCleanText)).toEqual([false, false, false]);
});
