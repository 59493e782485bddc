import { hourMs, minuteMs } from '@pulsewire/kernel';
import { addDays, dayNumber } from '../../model/calendar.ts';
import { between, longIdOf, unitOf } from '../../model/seeded.ts';
import { buildSleep } from './build-sleep.ts';
import { buildWorkout } from './build-workout.ts';
import type { DayPlan } from './day-plan.ts';
import { morningsOf } from './mornings.ts';
import { once } from './once.ts';
import type { Hour, PersonDay, Reading } from './types.ts';

/** Readings every `stepMs`, up to the last sync. */
function readingsBetween(fromMs: number, toMs: number, stepMs: number, valueAt: (ms: number) => number): Reading[] {
  const found: Reading[] = [];
  for (let ms = Math.ceil(fromMs / stepMs) * stepMs; ms < toMs; ms += stepMs) found.push({ ms, value: valueAt(ms) });
  return found;
}

function buildHours({ name, zone, date, revision, syncedMs }: DayPlan, startMs: number, endMs: number): Hour[] {
  const hours: Hour[] = [];
  for (let from = startMs; from < Math.min(endMs, syncedMs); from += hourMs) {
    const { minute } = zone.toLocal(from);
    const isAwake = minute >= 7 * 60 && minute < 22 * 60;
    const whole = isAwake ? between(`${name}|steps|${from}`, 80, 1400) : 0;
    const share = Math.min(1, (syncedMs - from) / hourMs);
    const extra = date === zone.toLocal(from).date && minute === 12 * 60 ? revision * 111 : 0;
    const steps = Math.floor(whole * share) + extra;
    hours.push({
      startMs: from,
      endMs: Math.min(from + hourMs, endMs),
      steps,
      distanceM: Math.round(steps * 0.72),
      activeKcal: Math.round(steps * 0.4) / 10,
    });
  }
  return hours;
}

/** All figures of a day, up to the last sync. Series are computed when they are read: most responses contain none or one of them. */
export function buildDay(plan: DayPlan): PersonDay {
  const { name, zone, date, revision, revisedMs, syncedMs, removed } = plan;
  const key = `${name}|${date}`;
  const startMs = zone.toInstant(date, 0);
  const endMs = zone.toInstant(addDays(date, 1), 0);
  const knownMs = Math.min(endMs, syncedMs);
  const mornings = morningsOf(zone, removed);
  const isThere = (ms: number) => !mornings.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
  const readings = (stepMs: number, valueAt: (ms: number) => number) =>
    once(() => readingsBetween(startMs, knownMs, stepMs, valueAt).filter(({ ms }) => isThere(ms)));
  const hours = buildHours(plan, startMs, endMs).filter((hour) => isThere(hour.startMs));
  const sum = (of: (hour: Hour) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const restingHr = between(`${name}|rest`, 48, 58) + between(`${key}|rest`, 0, 3) + revision;
  const heart = readings(5 * minuteMs, (ms) => restingHr + 8 + Math.floor(unitOf(`${name}|hr|${ms}`) * 40));
  const glucose = readings(5 * minuteMs, (ms) => 85 + revision + Math.floor(unitOf(`${name}|bg|${ms}`) * 60));
  const stress = readings(15 * minuteMs, (ms) => 10 + revision + Math.floor(unitOf(`${name}|st|${ms}`) * 60));
  const beats = once(() => heart().map(({ value }) => value));
  const sleep = buildSleep(plan);
  const workout = dayNumber(date) % 2 === 0 ? buildWorkout(plan) : undefined;
  const weighedMs = zone.toInstant(date, 7 * 3600 + 15 * 60);
  const measuredMs = zone.toInstant(date, 8 * 3600);
  return {
    date,
    startMs,
    endMs,
    isComplete: endMs <= syncedMs,
    updatedMs: Math.max(revisedMs, knownMs),
    steps: sum((hour) => hour.steps),
    distanceM: sum((hour) => hour.distanceM),
    floors: between(`${key}|floors`, 2, 15) + revision,
    activeKcal: Math.round(sum((hour) => hour.activeKcal)),
    basalKcal: Math.round((1500 * (knownMs - startMs)) / (endMs - startMs)),
    lowSeconds: between(`${key}|low`, 100, 200) * 60,
    mediumSeconds: (between(`${key}|medium`, 10, 40) + revision) * 60,
    highSeconds: between(`${key}|high`, 0, 30) * 60,
    hours,
    get heart() {
      return heart();
    },
    get glucose() {
      return glucose();
    },
    get stress() {
      return stress();
    },
    get hrAverage() {
      return beats().length === 0 ? restingHr : Math.round(beats().reduce((a, b) => a + b, 0) / beats().length);
    },
    get hrMin() {
      return Math.min(restingHr, ...beats());
    },
    get hrMax() {
      return Math.max(restingHr, ...beats());
    },
    restingHr,
    spo2: 95 + between(`${key}|spo2`, 0, 30) / 10 + (revision % 5) / 10,
    vo2Max: 40 + between(`${name}|vo2`, 0, 10) + revision,
    skinCelsius: 33 + between(`${key}|skin`, 0, 15) / 10 + (revision % 5) / 10,
    sleeps: sleep.endMs <= syncedMs && !removed.has(sleep.id) ? [sleep] : [],
    workouts: workout && workout.endMs <= syncedMs && !removed.has(workout.id) ? [workout] : [],
    weighings:
      dayNumber(date) % 3 === 0 && weighedMs <= syncedMs
        ? [
            {
              id: String(longIdOf(`${key}|weight`)),
              ms: weighedMs,
              kg: 70 + between(`${key}|kg`, 0, 30) / 10 + revision / 10,
              fatPercent: 20 + between(`${key}|fat`, 0, 20) / 10,
            },
          ]
        : [],
    bloodPressures:
      dayNumber(date) % 3 === 1 && measuredMs <= syncedMs && isThere(measuredMs)
        ? [
            {
              id: String(longIdOf(`${key}|bp`)),
              ms: measuredMs,
              systolic: between(`${key}|sys`, 110, 130) + revision,
              diastolic: between(`${key}|dia`, 70, 85),
              pulse: between(`${key}|pulse`, 55, 75),
            },
          ]
        : [],
  };
}
