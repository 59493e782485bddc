import { minuteMs } from '@pulsewire/kernel';
import { addDays, dayNumber } from '../../model/calendar.ts';
import type { Recording } from '../../recording/types.ts';
import type { SimulatorClock } from '../../model/simulator-clock.ts';
import { createLogBook } from './log-book.ts';
import { fitbitIdOf } from '../../model/fitbit-id.ts';
import { createTimeline } from './timeline.ts';
import { recordedUserOf } from './recorded-users.ts';
import type { Account, AccountSnapshot, FitbitAccountSpec } from './types.ts';
import { createZone } from '../../model/zone.ts';

const backlogMinutesDefault = 60;
// Dropping a revision would change the past back, so no revisions are made beyond this limit.
const revisionsMax = 10_000;
const dayMinutes = 1440;
const wholeDay: readonly number[] = Array.from({ length: dayMinutes }, (_, minute) => minute);

export interface AccountContext {
  readonly recording: Recording;
  readonly clock: SimulatorClock;
  readonly snapshot?: AccountSnapshot | undefined;
}

/** An account over its volunteer's recording. Throws RangeError for an unknown volunteer or time zone. */
export function createAccount(spec: FitbitAccountSpec, context: AccountContext): Account {
  const { recording, clock, snapshot } = context;
  const zone = createZone(spec.timeZone);
  const recordedUser = spec.recordedUser ?? recordedUserOf(spec.name);
  const timeline = createTimeline(recording.dates(recordedUser));
  const fullMinute = (instantMs: number) => Math.floor(instantMs / minuteMs) * minuteMs;
  const startedMs = fullMinute(clock.wallMs()) - (spec.backlogMinutes ?? backlogMinutesDefault) * minuteMs;
  let syncedMs = Math.max(snapshot?.syncedMs ?? 0, startedMs);
  const firstDate = addDays(zone.toLocal(clock.wallMs()).date, 1 - (spec.historyDays ?? timeline.lengthDays));
  const revisions = new Map<string, number>();
  for (const [date, minute, steps] of snapshot?.revisions ?? []) revisions.set(`${date}:${minute}`, steps);

  const recordedDay: Account['recordedDay'] = (date) => recording.day(recordedUser, timeline.recordedDate(date));

  const changedDays = new Map<string, readonly number[]>();

  /** The minutes of a day in order of time: none that the clocks jump over, and both passes of an hour that they repeat. */
  function minutesOf(date: string): readonly number[] {
    const startMs = zone.toInstant(date, 0);
    const length = Math.round((zone.toInstant(addDays(date, 1), 0) - startMs) / minuteMs);
    if (length === dayMinutes) return wholeDay;
    const known = changedDays.get(date);
    if (known) return known;
    const seen = new Set<number>();
    const minutes = Array.from({ length }, (_, place) => {
      const { minute } = zone.toLocal(startMs + place * minuteMs);
      return seen.has(minute) ? minute + dayMinutes : (seen.add(minute), minute);
    });
    changedDays.set(date, minutes);
    return minutes;
  }

  function minutesUntil(date: string, untilMs: number): readonly number[] {
    if (date < firstDate) return [];
    const passed = Math.floor((untilMs - zone.toInstant(date, 0)) / minuteMs);
    return passed <= 0 ? [] : minutesOf(date).slice(0, passed);
  }

  function revisedSteps(date: string, steps: Uint16Array): Uint16Array {
    if (revisions.size === 0) return steps;
    let revised = steps;
    for (const minute of wholeDay) {
      const value = revisions.get(`${date}:${minute}`);
      if (value === undefined) continue;
      if (revised === steps) revised = steps.slice();
      revised[minute] = value;
    }
    return revised;
  }

  return {
    name: spec.name,
    logs: createLogBook(),
    ownerId: fitbitIdOf(spec.name),
    zone,
    sleepType: spec.sleepType ?? 'stages',
    firstDate,
    syncedMs: () => syncedMs,
    today: () => zone.toLocal(clock.wallMs()).date,
    recordedDay,
    day(date) {
      const recorded = recordedDay(date);
      const minutes = minutesUntil(date, syncedMs);
      if (!recorded || minutes.length === 0) return undefined;
      const tracks = spec.hasHeart === false ? [] : recording.heartTracks();
      const heartOf = (number: number) => tracks[number % tracks.length];
      const next = recordedDay(addDays(date, 1)) ?? recorded;
      const again = { recorded: next, steps: next.steps, heart: heartOf(dayNumber(date) + 1) };
      const heart = heartOf(dayNumber(date));
      return { date, recorded, minutes, steps: revisedSteps(date, recorded.steps), heart, ...(minutes !== wholeDay && { again }) };
    },
    passedMinutes: (date) => minutesUntil(date, clock.wallMs()),
    readTracker(minutes) {
      const fromMs = syncedMs;
      syncedMs = Math.max(fromMs, Math.min(fromMs + minutes * minuteMs, fullMinute(clock.wallMs())));
      return { fromMs, toMs: syncedMs };
    },
    reviseMinute(date, minute, steps) {
      const key = `${date}:${minute}`;
      if (steps === undefined) return revisions.delete(key);
      if (revisions.size >= revisionsMax && !revisions.has(key)) return false;
      revisions.set(key, steps);
      return true;
    },
    snapshot: () => ({
      syncedMs,
      revisions: [...revisions].map(([key, steps]) => [key.slice(0, 10), Number(key.slice(11)), steps] as const),
    }),
  };
}
