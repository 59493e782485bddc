/** Numbers that depend only on the seed, so that a report can be printed again. */
export class Random {
  #state: number;

  constructor(seed: string) {
    let hash = 2166136261;
    for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 16777619);
    this.#state = hash >>> 0;
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.whole(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  /** Some of the items, in their own order. */
  some<T>(items: readonly T[], count: number): T[] {
    const rest = items.map((_, index) => index);
    while (rest.length > count) rest.splice(this.whole(0, rest.length - 1), 1);
    return rest.map((index) => items[index] as T);
  }

  digits(count: number): string {
    let text = String(this.whole(1, 9));
    while (text.length < count) text += String(this.whole(0, 9));
    return text;
  }
}
