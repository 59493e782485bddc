/** CPU time of one call in µs: the minimum of several runs, because disturbances only add to it. */
function cpuOf(work: () => unknown, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Shorter measurements are noise. */
const leastUs = 3000;

/**
 * How much more CPU time `work` takes for an input four times as large: about 4 when it is linear, 16 when it is quadratic. It measures
 * time because the engine does not count the steps of a regular expression, and CPU time because tests share the machine.
 */
export function growthOf<T>(inputOf: (size: number) => T, work: (input: T) => unknown, size: number): number {
  const [small, large] = [inputOf(size), inputOf(size * 4)];
  // Too fast to measure at the large size: harmless at any accepted size.
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

/** Between 4 (linear) and 16 (quadratic), with a margin for noise on both sides. */
export const linearGrowthMax = 9;
