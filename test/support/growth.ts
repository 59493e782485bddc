/** CPU time of one call, µs: the least of several tries, since everything that disturbs a measurement only adds to it. */
function cpuOf(work: () => unknown, tries: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries; tried++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** The time below which a measurement says nothing. */
const leastUs = 3000;

/**
 * How much more CPU time `work` takes for an input of four times the size: about 4 where work is linear, 16 where it is quadratic. The engine
 * counts no steps of a regular expression, so time is all there is; CPU time, not that of the clock, since tests share a machine.
 */
export function growthOf<T>(inputOf: (size: number) => T, work: (input: T) => unknown, size: number): number {
  const [small, large] = [inputOf(size), inputOf(size * 4)];
  // What is too short to be measured at the large size is no danger at any size that is let in.
  work(small);
  const largeUs = cpuOf(() => work(large), 3);
  if (largeUs < leastUs) return 0;
  return (
    largeUs /
    Math.max(
      1,
      cpuOf(() => work(small), 5),
    )
  );
}

/** Between 4 and 16, with room for noise on both sides. */
export const linearGrowthMax = 9;
