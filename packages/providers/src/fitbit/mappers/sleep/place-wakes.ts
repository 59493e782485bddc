import type { ClockReadings } from '../../../kit/time/list-instants.ts';
import { awake, overlay, secondsIn, type SleepStage } from './overlay-wakes.ts';

/** A short wake whose clock may have been shown twice that night. */
export interface ReadWake extends ClockReadings {
  readonly durationMs: number;
}

/** The wakes at their first reading, and from the place `secondFrom` on, where there are two, at the later one. */
function wakesFrom(wakes: readonly ReadWake[], secondFrom: number): SleepStage[] {
  return wakes.map(({ first, later, durationMs }, index) => {
    const startMs = (index >= secondFrom ? (later ?? first) : first).ms;
    return { startMs, endMs: startMs + durationMs, code: awake };
  });
}

function byStart(a: SleepStage, b: SleepStage): number {
  return a.startMs - b.startMs;
}

/** How far a placing is from what the log says of the night: seconds of wakes that interrupt no sleep, and of stages too long or too short. */
function misfit(stages: readonly SleepStage[], wakes: readonly SleepStage[], totals: ReadonlyMap<number, number>): number {
  const placed = overlay(stages, wakes.toSorted(byStart));
  const wanted = wakes.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 1000, 0);
  const lost = wanted - (secondsIn(placed, awake) - secondsIn(stages, awake));
  return [...totals].reduce((sum, [code, minutes]) => sum + Math.abs(secondsIn(placed, code) - minutes * 60), Math.max(0, lost));
}

/**
 * The short wakes of a night as stretches, in order of time. Fitbit lists them in that order, so in a repeated hour those of the second
 * pass are the end of the list; where among them it begins is what fits the log's own totals best. Where nothing tells, the first pass is meant.
 */
export function placeWakes(stages: readonly SleepStage[], wakes: readonly ReadWake[], totals: ReadonlyMap<number, number>): SleepStage[] {
  if (wakes.every(({ later }) => later === null)) return wakesFrom(wakes, wakes.length).toSorted(byStart);
  // Only the places of wakes that may be meant twice differ.
  const places = [wakes.length, ...wakes.flatMap(({ later }, index) => (later ? [index] : [])).toReversed()];
  const placings = places.map((secondFrom) => wakesFrom(wakes, secondFrom));
  const isInOrder = (placing: readonly SleepStage[]) =>
    placing.every(({ startMs }, index) => index === 0 || startMs >= (placing[index - 1]?.startMs ?? 0));
  const possible = placings.some(isInOrder) ? placings.filter(isInOrder) : placings;
  const fits = possible.map((placing) => ({ placing, cost: misfit(stages, placing, totals) }));
  const best = fits.reduce((found, fit) => (fit.cost < found.cost ? fit : found));
  return best.placing.toSorted(byStart);
}
