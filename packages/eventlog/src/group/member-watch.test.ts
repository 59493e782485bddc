import { describe, expect, it } from 'vitest';
import { MemberWatch } from './member-watch.ts';

const marks = (...entries: [string, string][]): ReadonlyMap<string, string> => new Map(entries);

describe('MemberWatch', () => {
  it('reports a member whose mark has not changed for the whole period', () => {
    const watch = new MemberWatch(5000);
    expect(watch.note(0, marks(['a', '1'], ['b', '1']))).toEqual([]);
    expect(watch.note(3000, marks(['a', '2'], ['b', '1']))).toEqual([]);
    expect(watch.note(5000, marks(['a', '3'], ['b', '1']))).toEqual([{ member: 'b', mark: '1' }]);
  });

  it('accepts a mark that moves backward as a sign of life', () => {
    const watch = new MemberWatch(5000);
    for (const [atMs, mark] of [
      [0, '2030'],
      [4000, '2020'],
      [8000, '2019'],
    ] as const)
      expect(watch.note(atMs, marks(['a', mark]))).toEqual([]);
  });

  it('starts over after it could not read for a while', () => {
    const watch = new MemberWatch(5000);
    watch.note(0, marks(['a', '1']));
    expect(watch.note(60_000, marks(['a', '1']))).toEqual([]);
    expect(watch.note(64_000, marks(['a', '1']))).toEqual([]);
    expect(watch.note(65_000, marks(['a', '1']))).toEqual([{ member: 'a', mark: '1' }]);
  });

  it('forgets a member that left, even if it returns under the same id', () => {
    const watch = new MemberWatch(5000);
    watch.note(0, marks(['a', '1']));
    watch.note(4000, marks());
    expect(watch.note(6000, marks(['a', '1']))).toEqual([]);
  });
});
