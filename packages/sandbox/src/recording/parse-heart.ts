import type { HeartTrack } from './types.ts';

interface Reading {
  readonly date: string;
  readonly second: number;
  readonly bpm: number;
}

/**
 * Three whole days from the two and a half that were recorded: the middle day as it is, and two days joined at the hour where the
 * first and the last one overlap. No reading is invented or moved to another hour.
 */
export function parseHeart(lines: readonly string[]): HeartTrack[] {
  const readings = lines.map(parseReading);
  const dates = [...new Set(readings.map((reading) => reading.date))].sort();
  const [first, middle, last] = dates;
  const part = (date: string | undefined, from: number, to: number) =>
    readings.filter((reading) => reading.date === date && reading.second >= from && reading.second < to);
  const lastEnd = Math.max(...part(last, 0, 86_400).map((reading) => reading.second));
  const firstStart = Math.min(...part(first, 0, 86_400).map((reading) => reading.second));
  return [
    part(middle, 0, 86_400),
    [...part(last, 0, lastEnd + 1), ...part(first, lastEnd + 1, 86_400)],
    [...part(last, 0, firstStart), ...part(first, firstStart, 86_400)],
  ].map(toTrack);
}

function parseReading(line: string): Reading {
  const { time, bpm } = JSON.parse(line) as { time: string; bpm: number };
  const [hour, minute, second] = time.slice(11).split(':').map(Number) as [number, number, number];
  return { date: time.slice(0, 10), second: hour * 3600 + minute * 60 + second, bpm };
}

function toTrack(readings: readonly Reading[]): HeartTrack {
  const sums = new Float64Array(1440);
  const counts = new Uint16Array(1440);
  for (const { second, bpm } of readings) {
    const minute = Math.floor(second / 60);
    sums[minute] = (sums[minute] ?? 0) + bpm;
    counts[minute] = (counts[minute] ?? 0) + 1;
  }
  const minuteMeans = Uint8Array.from(sums, (sum, minute) => (counts[minute] ? Math.round(sum / counts[minute]) : 0));
  const worn = [...minuteMeans].filter((mean) => mean > 0).sort((a, b) => a - b);
  return {
    secondOfDay: Uint32Array.from(readings, (reading) => reading.second),
    bpm: Uint8Array.from(readings, (reading) => reading.bpm),
    minuteMeans,
    restingBpm: worn[Math.floor(worn.length * 0.1)] ?? 60,
  };
}
