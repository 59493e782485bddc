/** Reproducible draws: the same seed produces the same reports on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A separate generator for a part, so that a change in one report does not change the others. */
  fork(label: string): Random {
    let hash = this.#state ^ 0x811c9dc5;
    for (const character of label) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    return new Random(hash);
  }

  /** From 0 up to but not including 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }

  /** `count` different items in the order of the list. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = items.map((item, index) => ({ item, index, key: this.next() }));
    left.sort((a, b) => a.key - b.key);
    return left
      .slice(0, count)
      .sort((a, b) => a.index - b.index)
      .map(({ item }) => item);
  }
}
