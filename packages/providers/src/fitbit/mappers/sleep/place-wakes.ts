import type { ClockReadings } from '../../../kit/time/list-instants.ts';
import { awake, overlay, secondsIn, type SleepStage } from '../../../kit/records/overlay-wakes.ts';

/** A short wake whose clock may have been shown twice that night. */
export interface ReadWake extends ClockReadings {
  readonly durationMs: number;
}

/** The wakes at their first possible instant, or at the later one from index `secondFrom` on where there are two. */
function wakesFrom(wakes: readonly ReadWake[], secondFrom: number): SleepStage[] {
  return wakes.map(({ first, later, durationMs }, index) => {
    const startMs = (index >= secondFrom ? (later ?? first) : first).ms;
    return { startMs, endMs: startMs + durationMs, code: awake };
  });
}

function byStart(a: SleepStage, b: SleepStage): number {
  return a.startMs - b.startMs;
}

/** How much a placement differs from the log's totals: seconds of wakes that interrupt no sleep, plus the deviation of each stage. */
function misfit(stages: readonly SleepStage[], wakes: readonly SleepStage[], totals: ReadonlyMap<number, number>): number {
  const placed = overlay(stages, wakes.toSorted(byStart));
  const wanted = wakes.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 1000, 0);
  const lost = wanted - (secondsIn(placed, awake) - secondsIn(stages, awake));
  return [...totals].reduce((sum, [code, minutes]) => sum + Math.abs(secondsIn(placed, code) - minutes * 60), Math.max(0, lost));
}

/**
 * The short wakes of a night as intervals, in chronological order. Fitbit lists them in that order, so in a repeated hour the wakes of the
 * second pass are at the end of the list; the index where it begins is the one that fits the log's own totals best. By default, the first
 * pass applies.
 */
export function placeWakes(stages: readonly SleepStage[], wakes: readonly ReadWake[], totals: ReadonlyMap<number, number>): SleepStage[] {
  if (wakes.every(({ later }) => later === null)) return wakesFrom(wakes, wakes.length).toSorted(byStart);
  // Only wakes with two possible instants make a difference.
  const places = [wakes.length, ...wakes.flatMap(({ later }, index) => (later ? [index] : [])).toReversed()];
  const placings = places.map((secondFrom) => wakesFrom(wakes, secondFrom));
  const isInOrder = (placing: readonly SleepStage[]) =>
    placing.every(({ startMs }, index) => index === 0 || startMs >= (placing[index - 1]?.startMs ?? 0));
  const possible = placings.some(isInOrder) ? placings.filter(isInOrder) : placings;
  const fits = possible.map((placing) => ({ placing, cost: misfit(stages, placing, totals) }));
  const best = fits.reduce((found, fit) => (fit.cost < found.cost ? fit : found));
  return best.placing.toSorted(byStart);
}
