import { dayMs } from '@pulsewire/kernel';
import { openZone } from './zone.ts';

const daysMax = 500;
/** By UTC day: the offsets from which clocks somewhere in the world change on it, each with the instants. */
const days = new Map<number, ReadonlyMap<number, ReadonlySet<number>>>();

/** Looks at every zone: eight milliseconds for a day that was not asked for before. */
function changesOn(day: number): ReadonlyMap<number, ReadonlySet<number>> {
  const known = days.get(day);
  if (known) return known;
  const changes = new Map<number, Set<number>>();
  const [fromMs, toMs] = [day * dayMs, (day + 1) * dayMs];
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const zone = openZone(name);
    const before = zone?.offsetAt(fromMs) ?? null;
    if (!zone || before === null || zone.offsetAt(toMs) === before) continue;
    let [low, high] = [fromMs, toMs];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (zone.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    changes.set(before, (changes.get(before) ?? new Set()).add(high));
  }
  if (days.size >= daysMax) days.clear();
  days.set(day, changes);
  return changes;
}

/**
 * Whether clocks with this offset (seconds east of UTC) may have changed between two instants: they did in some zone of the world. For a person
 * whose zone is not known.
 */
export function mayHaveChanged(offset: number, fromMs: number, toMs: number): boolean {
  const [first, last] = [Math.floor(fromMs / dayMs), Math.min(Math.floor(toMs / dayMs), Math.floor(fromMs / dayMs) + 3)];
  for (let day = first; day <= last; day++) {
    for (const changeMs of changesOn(day).get(offset) ?? []) if (changeMs > fromMs && changeMs <= toMs) return true;
  }
  return false;
}
