import { addDays, dayNumber } from '../../calendar.ts';
import type { Recording } from '../../recording/types.ts';
import type { SimulatorClock } from '../../simulator-clock.ts';
import { ownerIdOf } from './owner-id.ts';
import { createTimeline } from './timeline.ts';
import type { Account, AccountSnapshot, AccountSpec } from './types.ts';
import { createZone } from '../../kit/zone.ts';

const minuteMs = 60_000;
const backlogMinutesDefault = 60;
// A revision that were forgotten would change the past back, so none is made past this bound instead.
const revisionsMax = 10_000;
const wholeDay: readonly number[] = Array.from({ length: 1440 }, (_, minute) => minute);

export interface AccountContext {
  readonly recording: Recording;
  readonly clock: SimulatorClock;
  readonly snapshot?: AccountSnapshot | undefined;
}

/** An account over its volunteer's recording. Throws RangeError for an unknown volunteer or time zone. */
export function createAccount(spec: AccountSpec, context: AccountContext): Account {
  const { recording, clock, snapshot } = context;
  const zone = createZone(spec.timeZone);
  const timeline = createTimeline(recording.dates(spec.recordedUser));
  const fullMinute = (instantMs: number) => Math.floor(instantMs / minuteMs) * minuteMs;
  const startedMs = fullMinute(clock.wallMs()) - (spec.backlogMinutes ?? backlogMinutesDefault) * minuteMs;
  let syncedMs = Math.max(snapshot?.syncedMs ?? 0, startedMs);
  const firstDate = addDays(zone.toLocal(clock.wallMs()).date, 1 - (spec.historyDays ?? timeline.lengthDays));
  const revisions = new Map<string, number>();
  for (const [date, minute, steps] of snapshot?.revisions ?? []) revisions.set(`${date}:${minute}`, steps);

  const recordedDay: Account['recordedDay'] = (date) => recording.day(spec.recordedUser, timeline.recordedDate(date));

  function visibleMinutes(date: string): readonly number[] {
    const synced = zone.toLocal(syncedMs);
    if (date > synced.date || date < firstDate) return [];
    const minutes = date < synced.date ? wholeDay : wholeDay.slice(0, synced.minute);
    return hasSkippedHour(date) ? minutes.filter((minute) => !zone.isSkipped(date, minute)) : minutes;
  }

  function hasSkippedHour(date: string): boolean {
    const startMs = zone.toInstant(date, 0);
    return zone.offsetMinutes(startMs) < zone.offsetMinutes(startMs + 86_400_000);
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
    ownerId: spec.ownerId ?? ownerIdOf(spec.name),
    zone,
    sleepType: spec.sleepType ?? 'stages',
    firstDate,
    syncedMs: () => syncedMs,
    today: () => zone.toLocal(clock.wallMs()).date,
    recordedDay,
    day(date) {
      const recorded = recordedDay(date);
      const minutes = visibleMinutes(date);
      if (!recorded || minutes.length === 0) return undefined;
      const tracks = spec.hasHeart === false ? [] : recording.heartTracks();
      return { date, recorded, minutes, steps: revisedSteps(date, recorded.steps), heart: tracks[dayNumber(date) % tracks.length] };
    },
    sync(minutes) {
      const fromMs = syncedMs;
      syncedMs = Math.max(fromMs, Math.min(fromMs + minutes * minuteMs, fullMinute(clock.wallMs())));
      return { fromMs, toMs: syncedMs };
    },
    revise(date, minute, steps) {
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
