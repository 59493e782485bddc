import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.ts';

describe('parseJson', () => {
  it('returns undefined for deeply nested JSON, and keeps different invalid texts distinct', () => {
    expect(parseJson(Buffer.from('['.repeat(100) + ']'.repeat(100)))).toBeUndefined();
    const read = [0x80, 0xff].map((byte) => parseJson(Buffer.concat([Buffer.from('"a'), Buffer.from([byte]), Buffer.from('"')])));
    expect(read).toEqual(['a\uDC80', 'a\uDCFF']);
  });

  it('keeps integers that a double would round', () => {
    expect(parseJson(Buffer.from('[9007199254740993,1234567890123456]'))).toEqual(['9007199254740993', 1234567890123456]);
    expect(parseJson(Buffer.from('-9007199254740993'))).toBe('-9007199254740993');
    expect(parseJson(Buffer.from('{"a" :\n9007199254740993 , "b":["1234567890123456789",0.1234567890123456]}'))).toEqual({
      a: '9007199254740993',
      b: ['1234567890123456789', 0.1234567890123456],
    });
  });
});
