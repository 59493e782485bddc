import { describe, expect, it } from 'vitest';
import { findStale, type FormerItem, type SentItem } from './find-stale.ts';

const part = (index: number, startMs: number, version: string, parentId = 'night'): FormerItem => ({
  itemId: `${parentId}-s${index}`,
  parentId,
  place: `at ${startMs}`,
  startMs,
  version,
});
const sent = (index: number, startMs: number, parentId = 'night'): SentItem => part(index, startMs, '', parentId);
const idsOf = (items: readonly FormerItem[]) => items.map(({ itemId }) => itemId);
const whole = [part(0, 0, '1'), part(1, 10, '1'), part(2, 20, '1')];

describe('findStale', () => {
  it('finds nothing when a record comes again unchanged, whole or in the parts in which it came before', () => {
    expect(findStale(whole, [sent(0, 0), sent(1, 10), sent(2, 20)])).toEqual([]);
    const split = [part(0, 0, '1'), part(1, 10, '1'), part(2, 20, '2')];
    expect(findStale(split, [sent(0, 0), sent(1, 10)])).toEqual([]);
    expect(findStale(split, [sent(2, 20)])).toEqual([]);
  });

  it('finds what an id named before it was sent with another time', () => {
    expect(idsOf(findStale(whole, [sent(1, 11)]))).toEqual(['night-s0', 'night-s1', 'night-s2']);
    const alone: FormerItem = { ...part(0, 0, '1'), parentId: '' };
    expect(findStale([alone], [{ ...sent(0, 5), parentId: '' }])).toEqual([alone]);
  });

  it('finds the parts that a record no longer has', () => {
    expect(idsOf(findStale(whole, [sent(0, 0), sent(1, 10)]))).toEqual(['night-s2']);
  });

  it('finds the later parts of a changed record in other batches, and keeps what was sent before', () => {
    const split = [part(0, 0, '1'), part(1, 10, '1'), part(2, 20, '2'), part(3, 30, '2')];
    expect(idsOf(findStale(split, [sent(0, 5), sent(1, 10)]))).toEqual(['night-s0', 'night-s2', 'night-s3']);
    const firstHalf = [part(0, 5, '3'), part(1, 10, '3'), part(2, 20, '2')];
    expect(idsOf(findStale(firstHalf, [sent(2, 25), sent(3, 35)]))).toEqual(['night-s2']);
  });

  it('keeps the parts that another batch of an export has, unless the record has changed', () => {
    expect(findStale(whole, [sent(0, 0), sent(1, 10)], { isExport: true })).toEqual([]);
    expect(idsOf(findStale(whole, [sent(0, 5), sent(1, 10)], { isExport: true }))).toEqual(['night-s0', 'night-s2']);
  });

  it('keeps the parts of other records, and items without ids', () => {
    const others = [part(0, 0, '1', 'other'), { ...part(0, 0, '1'), itemId: '', parentId: '' }];
    expect(findStale(others, [sent(0, 5), { ...sent(0, 9), itemId: '' }])).toEqual([]);
  });
});
