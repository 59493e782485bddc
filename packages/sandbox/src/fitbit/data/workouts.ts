import { longIdOf } from '../../model/seeded.ts';
import type { Account, AccountDay } from '../accounts/types.ts';
import { heartZonesOf } from './heart-zones.ts';
import { minuteValue } from './minutes.ts';

/** A workout that the tracker detected: a part of one recorded day. */
export interface Workout {
  readonly logId: number;
  readonly day: AccountDay;
  readonly startMs: number;
  readonly minutes: readonly number[];
  readonly activity: { readonly id: number; readonly name: string };
  readonly steps: number;
  readonly distanceKm: number;
  readonly elevationM: number;
  readonly calories: number;
  readonly averageBpm: number | undefined;
  readonly zones: ReturnType<typeof heartZonesOf>;
}

const fairlyActive = 2;
const pauseMinutesMax = 2;
const workoutMinutesMin = 10;

/** The workouts of a date, as far as they had ended when the tracker was last read. */
export function workoutsOf(account: Account, date: string): Workout[] {
  const day = account.day(date);
  if (!day) return [];
  // The end is known only when the pause after it has been seen.
  const isOver = (end: number) => account.zone.toInstant(date, Math.min(end + pauseMinutesMax + 1, 1440) * 60) <= account.syncedMs();
  return activeStretches(day.recorded.intensity)
    .filter(([, end]) => isOver(end))
    .map(([start, end]) => toWorkout(account, day, day.minutes.filter((minute) => minute >= start && minute <= end)))
    .filter((workout) => workout !== undefined)
    .filter(({ logId }) => !account.logs.isDeleted(logId));
}

function activeStretches(intensity: Uint8Array): [start: number, end: number][] {
  const stretches: [number, number][] = [];
  intensity.forEach((level, minute) => {
    if (level < fairlyActive) return;
    const open = stretches.at(-1);
    if (open && minute - open[1] <= pauseMinutesMax + 1) open[1] = minute;
    else stretches.push([minute, minute]);
  });
  return stretches.filter(([start, end]) => end - start + 1 >= workoutMinutesMin);
}

function toWorkout(account: Account, day: AccountDay, minutes: readonly number[]): Workout | undefined {
  const start = minutes[0];
  if (start === undefined) return undefined;
  const total = (series: 'distance' | 'elevation' | 'calories') => minutes.reduce((sum, minute) => sum + (minuteValue(day, series, minute) ?? 0), 0);
  // Unrevised counts: a workout keeps its numbers when single minutes are corrected later.
  const steps = minutes.reduce((sum, minute) => sum + (day.recorded.steps[minute] ?? 0), 0);
  const beats = minutes.map((minute) => minuteValue(day, 'heart', minute)).filter((bpm) => bpm !== undefined);
  return {
    logId: longIdOf(`workout:${account.ownerId}:${day.date}:${start}`),
    day,
    startMs: account.zone.toInstant(day.date, start * 60),
    minutes,
    activity: activityOf(steps / minutes.length),
    steps,
    distanceKm: steps * day.recorded.kmPerStep,
    elevationM: total('elevation'),
    calories: total('calories'),
    averageBpm: beats.length > 0 ? Math.round(beats.reduce((sum, bpm) => sum + bpm, 0) / beats.length) : undefined,
    zones: heartZonesOf(day, minutes),
  };
}

function activityOf(stepsPerMinute: number): { id: number; name: string } {
  if (stepsPerMinute >= 130) return { id: 90009, name: 'Run' };
  if (stepsPerMinute >= 60) return { id: 90013, name: 'Walk' };
  return { id: 3000, name: 'Workout' };
}
