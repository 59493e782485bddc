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
const factor = 8;
const measurementsMax = 4;

/**
 * How much more CPU time `work` takes for an input eight times as large: about 8 when it is linear, 64 when it is quadratic. It measures
 * time because the engine does not count the steps of a regular expression, and CPU time because tests share the machine. The small
 * input is read eight times in a row, so that both sides read, and leave to the garbage collector, equally much.
 */
export function growthOf<T>(inputOf: (size: number) => T, work: (input: T) => unknown, size: number): number {
  const [small, large] = [inputOf(size), inputOf(size * factor)];
  const readSmall = () => {
    for (let time = 0; time < factor; time++) work(small);
  };
  // Also compiles it.
  readSmall();
  let growth = Number.POSITIVE_INFINITY;
  // Disturbances only add to a measurement, and cannot make a quadratic implementation look linear: its ratio stays high.
  for (let measurement = 0; growth >= linearGrowthMax && measurement < measurementsMax; measurement++) {
    const largeUs = cpuOf(() => work(large), 3);
    // Too fast to measure at the large size: harmless at any accepted size.
    if (largeUs < leastUs) return 0;
    growth = Math.min(growth, (factor * largeUs) / Math.max(1, cpuOf(readSmall, 5)));
  }
  return growth;
}

/** Between 8 (linear) and 64 (quadratic), with a margin for noise on both sides. */
export const linearGrowthMax = 22;
