import { describe, expect, test } from 'vitest';
import { createListScanner, NoObjectError } from './scan-lists.ts';

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function scan(text: string, cut: () => number, valueBytesMax = 1_000_000) {
  const scanner = createListScanner(valueBytesMax);
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
    expect(scan(text, () => 3, 50).map((value) => value.text)).toEqual(['"short"', null, '"last"']);
  });

  test('is refused when it is not an object or is truncated', () => {
    for (const text of ['[]', '"x"', '7', '', '{', '{"a":[1', '{"a":[1}', '{"a":1]', '{"a" 1}', '{"a":1} x', '{a:1}'])
      expect(() => scan(text, () => 2)).toThrow(NoObjectError);
  });
});
