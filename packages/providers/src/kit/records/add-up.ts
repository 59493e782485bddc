import type { Sample } from '@pulsewire/contract';
import { roundTo } from '../values/numbers.ts';

/** One sample for each time, with the sum of the values: meals of one hour would otherwise replace each other. */
export function addUp(samples: readonly Sample[]): Sample[] {
  const sums = new Map<number, Sample>();
  for (const sample of samples) {
    sums.set(sample.ts, { ...sample, value: roundTo((sums.get(sample.ts)?.value ?? 0) + (sample.value ?? 0), 3) });
  }
  return [...sums.values()];
}
