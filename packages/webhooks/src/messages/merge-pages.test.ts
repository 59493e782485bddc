import { describe, expect, it } from 'vitest';
import type { EventHeader, TeamPage } from '@pulsewire/eventlog';
import { advance, mergePages } from './merge-pages.ts';

function header(shard: number, offset: number, writtenAt: number): EventHeader {
  const day = `2026-01-0${1 + Math.floor(writtenAt / 100)}`;
  return { shard, offset, day, eventId: '', eventType: 't', userId: null, origin: 'live', writtenAt, isErased: false };
}

/** A page of events at these times; the last event read matches unless stated otherwise. */
function page(shard: number, times: readonly number[], { hasMore = false, lastMatches = true } = {}): TeamPage {
  const headers = times.map((at, index) => header(shard, index, at));
  return { shard, matches: lastMatches ? headers : headers.slice(0, -1), last: headers.at(-1) as EventHeader, hasMore };
}

const names = (headers: readonly EventHeader[]): string[] => headers.map(({ shard, offset }) => `${shard}/${offset}`);
const points = [0, 1].map((shard) => ({ shard, offset: 0 }));

describe('pages of several shards', () => {
  it('merge by time and keep the order of each shard, even where its times decrease', () => {
    const pages = [page(0, [10, 30, 20]), page(1, [15, 25])];
    expect(names(mergePages(pages, 'forward', 10))).toEqual(['0/0', '1/0', '1/1', '0/1', '0/2']);
    expect(names(mergePages(pages, 'forward', 2))).toEqual(['0/0', '1/0']);
  });

  it('end at a truncated shard, before any later event of another one', () => {
    const pages = [page(0, [10, 20], { hasMore: true }), page(1, [15, 25])];
    expect(names(mergePages(pages, 'forward', 10))).toEqual(['0/0', '1/0', '0/1']);
    const backward = [page(0, [20, 10], { hasMore: true }), page(1, [15, 5])];
    expect(names(mergePages(backward, 'backward', 10))).toEqual(['0/0', '1/0', '0/1']);
  });

  it('continue after used and unmatched events', () => {
    const pages = [page(0, [10, 20, 130], { lastMatches: false }), page(1, [15, 25, 230], { hasMore: true, lastMatches: false })];
    const used = mergePages(pages, 'forward', 3);
    expect(names(used)).toEqual(['0/0', '1/0', '0/1']);
    expect(advance(points, pages, used, 'forward')).toEqual({
      points: [
        { shard: 0, offset: 3 },
        { shard: 1, offset: 1 },
      ],
      hasMore: true,
      day: '2026-01-01',
    });
    const all = mergePages(pages, 'forward', 10);
    expect(advance(points, pages, all, 'forward')).toMatchObject({
      points: [{ offset: 3 }, { offset: 3 }],
      hasMore: true,
      day: '2026-01-03',
    });
  });

  it('end when every shard is exhausted, and keep their position without pages', () => {
    const pages = [page(0, [10])];
    expect(advance(points, pages, mergePages(pages, 'forward', 5), 'forward')).toEqual({
      points: [
        { shard: 0, offset: 1 },
        { shard: 1, offset: 0 },
      ],
      hasMore: false,
      day: null,
    });
    expect(advance(points, [], [], 'forward')).toEqual({ points, hasMore: false, day: null });
  });

  it('advance past a truncated page without a match', () => {
    const pages = [page(0, [10], { hasMore: true, lastMatches: false }), page(1, [15])];
    expect(mergePages(pages, 'forward', 10)).toEqual([]);
    expect(advance(points, pages, [], 'forward')).toMatchObject({ points: [{ offset: 1 }, { offset: 0 }], hasMore: true });
  });
});
