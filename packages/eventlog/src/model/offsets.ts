/** Offsets of one generation: far more than it can use up, so that every offset assigned by a lost primary is below the next generation. */
export const generationSpan = 2 ** 36;

/** The generation that an offset belongs to; the first is 1. An offset therefore always carries its generation. */
export function generationOf(offset: number): number {
  return Math.floor(offset / generationSpan) + 1;
}

/** The first offset of a generation, the same in every shard. */
export function firstOffsetOf(generation: number): number {
  return (generation - 1) * generationSpan;
}
