import { describe, expect, test } from 'vitest';
import { createJsonScanner, type JsonScanError, type ScanOptions } from './json-scanner.ts';

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function scan(text: string, cut: () => number, { valueBytesMax = 1_000_000, ...options }: Partial<ScanOptions> = {}) {
  const scanner = createJsonScanner({ valueBytesMax, ...options });
  const bytes = Buffer.from(text);
  const found: { key: string; isItem: boolean; text: string | null }[] = [];
  for (let place = 0; place < bytes.length;) {
    const end = place + cut();
    for (const { key, isItem, text: value } of scanner.write(bytes.subarray(place, end)))
      found.push({ key, isItem, text: value?.toString() ?? null });
    place = end;
  }
  scanner.end();
  return found;
}

const texts = ['', 'a', 'quote " and \\ backslash', '}]{[,:', 'ü€😀', '\u2028\n\t', '\\"'];

function valueOf(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 2 ? 4 : 6));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return Math.round((random() - 0.5) * 1e9) / 1000;
  if (kind === 3) return texts[Math.floor(random() * texts.length)];
  const inner = Array.from({ length: Math.floor(random() * 4) }, () => valueOf(random, depth + 1));
  return kind === 4 ? inner : Object.fromEntries(inner.map((value, place) => [`${texts[place] ?? ''}${place}`, value]));
}

describe('an object that is read in pieces', () => {
  test('returns the same values and items as a parser, however it is chunked', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = seeded(seed);
      const keys = Array.from({ length: Math.floor(random() * 5) }, (_, place) => `${texts[place] ?? ''}${place}`);
      const object = Object.fromEntries(keys.map((key) => [key, valueOf(random, 0)]));
      const text = JSON.stringify(object, null, seed % 3);
      const wanted = Object.entries(object).flatMap(([key, value]) =>
        Array.isArray(value) ? value.map((item: unknown) => ({ key, isItem: true, value: item })) : [{ key, isItem: false, value }],
      );
      const found = scan(text, () => 1 + Math.floor(random() * 7));
      expect(found.map(({ key, isItem, text: json }) => ({ key, isItem, value: JSON.parse(json ?? '') as unknown }))).toEqual(wanted);
    }
  });

  test('buffers nothing of a value that is too long, and continues after it', () => {
    const text = JSON.stringify({ list: ['short', 'x'.repeat(100), 'last'] });
    expect(scan(text, () => 3, { valueBytesMax: 50 }).map((value) => value.text)).toEqual(['"short"', null, '"last"']);
  });

  test('is rejected when it is malformed or truncated', () => {
    const brokenOff = ['', '{', '{"a":[1', '{"a":[1}', '{"a":1]', '{"a" 1}', '{"a":1} x', '{a:1}', 'x'];
    const separators = ['{,}', '{"a":1,}', '{"a":[1,]}', '{"a":[,1]}', '{"a":[1,,2]}', '{"a":}', '{"a":,"b":1}', '{"a":[1]"b":2}'];
    for (const text of [...brokenOff, ...separators, '{"a":[1][2]}'])
      expect(() => scan(text, () => 2), text).toThrow(expect.objectContaining({ reason: 'malformed' }) as JsonScanError);
  });

  test('is rejected at its first byte when it is another value', () => {
    for (const text of ['[]', '"x"', '7', '-1', 'true', 'null'])
      expect(() => scan(` ${text}`, () => 1)).toThrow(expect.objectContaining({ reason: 'not_object', position: 1 }) as JsonScanError);
  });

  test('is rejected where its nesting becomes too deep, also in a value that is not buffered', () => {
    const deep = (text: string) => () => scan(text, () => 4, { depthMax: 3, valueBytesMax: 3 });
    for (const text of ['{"a":{"b":{}}}', '{"a":[[]]}', '{"a":[{}]}', '{"a":"[[[["}']) expect(deep(text)).not.toThrow();
    for (const [text, position] of [
      ['{"a":{"b":{"c":{}}}}', 15],
      ['{"a":[[[]]]}', 7],
    ] as const)
      expect(deep(text)).toThrow(expect.objectContaining({ reason: 'too_deep', position }) as JsonScanError);
  });

  test('reports each list, even an empty one, before its items, and the offset of each value', () => {
    const lists: string[] = [];
    const scanner = createJsonScanner({ valueBytesMax: 100, onList: (key) => lists.push(key) });
    const positions = ['{"a":[],"b', '":[1, 22],"c":', ' 3}'].flatMap((text) =>
      scanner.write(Buffer.from(text)).map(({ position }) => position),
    );
    expect([lists, positions]).toEqual([
      ['a', 'b'],
      [13, 16, 25],
    ]);
  });
});
