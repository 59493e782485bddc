import { describe, expect, test } from 'vitest';
import { piecesBetween } from './split-receipts.ts';

const receipt = { version: '7', day: '2026-01-05', from_ms: 10, to_ms: 20 };
const ranges = (times: readonly number[]) => piecesBetween(receipt, times).map((piece) => [piece.from_ms, piece.to_ms]);

describe('a range without some of its times', () => {
  test('splitReceipts splits a range at every receipt inside it', () => {
    expect(ranges([5, 12, 15, 30])).toEqual([
      [10, 11],
      [13, 14],
      [16, 20],
    ]);
  });

  test('loses its ends when they are excluded, and may become empty', () => {
    expect(ranges([10, 20])).toEqual([[11, 19]]);
    expect(ranges([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])).toEqual([]);
  });

  test('stays whole when none of them lies in it', () => {
    expect(ranges([1, 2, 40])).toEqual([[10, 20]]);
  });
});
