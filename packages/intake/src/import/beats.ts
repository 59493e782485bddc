import { hourMs } from '@pulsewire/kernel';

/** A heart beat of `<HeartRateVariabilityMetadataList>`. */
export interface Beat {
  readonly bpm: string | undefined;
  readonly time: string | undefined;
}

/** Fewer say nothing. */
const differencesMin = 2;
/** An hour: only minutes and seconds are read, because clocks of 12 and 24 hours occur in all languages. */

/** Milliseconds within the hour, of `8:00:01,00 AM` or `08:00:01.00`; null for another form. */
function clockMs(time = ''): number | null {
  const [, minutes, seconds, fraction = '0'] = /\b\d{1,2}:(\d{2}):(\d{2})(?:[.,](\d{1,3}))?/.exec(time) ?? [];
  return minutes === undefined ? null : Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0'));
}

interface Interval {
  readonly ms: number;
  readonly atMs: number | null;
}

/** Whether the second follows the first without a beat between them that the watch has missed. */
function isNext(first: Interval, second: Interval): boolean {
  if (first.atMs === null || second.atMs === null) return true;
  const passedMs = (second.atMs - first.atMs + hourMs) % hourMs;
  return passedMs < 2 * Math.max(first.ms, second.ms);
}

/** RMSSD in ms of beats, each of which states the rate since the one before; null of too few. */
export function rmssdOf(beats: readonly Beat[]): number | null {
  const intervals = beats.flatMap(({ bpm, time }): Interval[] => {
    const rate = Number(bpm);
    return rate > 20 && rate < 300 ? [{ ms: 60_000 / rate, atMs: clockMs(time) }] : [];
  });
  const squares = intervals.flatMap((interval, index) => {
    const former = intervals[index - 1];
    return former && isNext(former, interval) ? [(interval.ms - former.ms) ** 2] : [];
  });
  if (squares.length < differencesMin) return null;
  const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length;
  return Math.round(Math.sqrt(mean) * 100) / 100;
}
