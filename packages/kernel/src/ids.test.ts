import { expect, test } from 'vitest';
import { base62ToUuid, uuidToBase62 } from './index.ts';

const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

test.each([
  ['00000000-0000-0000-0000-000000000000', '000000000000000000000000000'],
  ['00000000-0000-0000-0000-00000000003e', '000000000000000000000000010'],
  ['00000000-0000-0000-0000-000100000000', '0000000000000000000004gfFC4'],
  [highest, '000007n42DGM5Tflk9n8mt7Fhc7'],
])('writes %s in base62 with 27 characters', (uuid, text) => {
  expect(uuidToBase62(uuid)).toBe(text);
});

test('reads every id back from its base62 form, in upper and lower case', () => {
  for (let shift = 0; shift < 128; shift++) {
    const digits = ((0xabcdef0123456789abcdef0123456789n >> BigInt(shift)) & ((1n << 128n) - 1n)).toString(16).padStart(32, '0');
    const uuid = digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
    expect(base62ToUuid(uuidToBase62(uuid))).toBe(uuid);
    expect(uuidToBase62(uuid.toUpperCase())).toBe(uuidToBase62(uuid));
  }
});

test('keeps the order of ids in their base62 forms', () => {
  const uuids = [
    '00000000-ffff-ffff-ffff-ffffffffffff',
    '00000001-0000-0000-0000-000000000000',
    '7fffffff-0000-0000-0000-000000000000',
    highest,
  ];
  const texts = uuids.map((uuid) => uuidToBase62(uuid));
  expect(texts.toSorted()).toEqual(texts);
});
