import { between, longIdOf, unitOf } from '../../model/seeded.ts';
import type { DayPlan } from './day-plan.ts';
import type { TrackPoint, Workout } from './types.ts';
import { uuidOf } from './uuid-of.ts';

const sports = ['running', 'cycling', 'walking'] as const;
const metersPerSecond = { running: 3, cycling: 7, walking: 1.4 } as const;
const titles = { running: 'Morning run', cycling: 'Lunch ride', walking: 'Evening walk' } as const;
const stepMs = 10_000;
const pointsMax = 60;

/** The track's points: the first ten minutes, every ten seconds. More would only enlarge responses. */
function trackOf(key: string, sport: Workout['sport'], startMs: number, endMs: number, revision: number): TrackPoint[] {
  const points: TrackPoint[] = [];
  for (let ms = startMs; ms <= endMs && points.length < pointsMax; ms += stepMs) {
    const seconds = (ms - startMs) / 1000;
    const speed = metersPerSecond[sport] + Math.round(unitOf(`${key}|v|${ms}`) * 10) / 10;
    points.push({
      ms,
      bpm: 120 + revision + Math.floor(unitOf(`${key}|hr|${ms}`) * 40),
      lat: 52.5 + seconds / 100_000,
      lng: 13.4 + seconds / 50_000,
      altitudeM: 30 + Math.round(unitOf(`${key}|alt|${ms}`) * 100) / 10,
      speedMs: speed,
      cadence: 80 + Math.floor(unitOf(`${key}|cad|${ms}`) * 10),
      watts: 150 + Math.floor(unitOf(`${key}|w|${ms}`) * 100),
      distanceM: Math.round(seconds * metersPerSecond[sport]),
    });
  }
  return points;
}

/** The complete workout of the day. */
export function buildWorkout({ name, zone, date, revision, revisedMs }: DayPlan): Workout {
  const key = `${name}|workout|${date}`;
  const sport = sports[between(`${key}|sport`, 0, 2)] ?? 'running';
  const startMs = zone.toInstant(date, 17 * 3600 + between(`${key}|at`, 0, 59) * 60);
  const minutes = between(`${key}|min`, 25, 70);
  const endMs = startMs + minutes * 60_000;
  const track = trackOf(key, sport, startMs, endMs, revision);
  const beats = track.map(({ bpm }) => bpm);
  return {
    id: String(longIdOf(key)),
    uuid: uuidOf(key),
    sport,
    title: titles[sport],
    startMs,
    endMs,
    movingSeconds: minutes * 60 - 60,
    distanceM: Math.round(minutes * 60 * metersPerSecond[sport]) + revision * 10,
    kcal: minutes * 9 + revision,
    steps: sport === 'cycling' ? 0 : minutes * 150,
    hrAverage: Math.round(beats.reduce((a, b) => a + b, 0) / beats.length),
    hrMax: Math.max(...beats),
    elevationM: between(`${key}|up`, 10, 200),
    track,
    updatedMs: Math.max(endMs + 60_000, revisedMs),
  };
}
