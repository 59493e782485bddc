import { minuteMs } from '@pulsewire/kernel';
import { addDays, datesBetween } from '../../model/calendar.ts';
import type { SimulatorClock } from '../../model/simulator-clock.ts';
import { createZone, type Zone } from '../../model/zone.ts';
import { buildDay } from './build-day.ts';
import type { DayPlan } from './day-plan.ts';
import { morningOf, morningsOf } from './mornings.ts';
import type { Change, PersonDay, PersonSpec, Stretch } from './types.ts';

/**
 * What the kit needs of the person behind an account. `Person` is the made-up one; a definition may supply another, such as a recorded one.
 */
export interface AccountPerson {
  readonly zone: Zone;
  /** The person that stored records are compared with; null for recorded data. */
  readonly truth: Person | null;
  today(): string;
  /** Syncs the device up to now; returns what is new. */
  sync(): readonly Change[];
  /** Revises figures of the last days; returns what changed. */
  revise(): readonly Change[];
  /** Removes the last whole workout or night; returns what was removed. */
  remove(kind: 'workout' | 'sleep'): readonly Change[];
  /** Removes everything between 8 and 11 a.m. on the last whole days; returns these ranges. */
  removeMornings(): readonly Stretch[];
  /** The state that must survive a restart; JSON only. */
  snapshot(): unknown;
}

/** A person with a device, as the provider sees them: nothing after the last sync. */
export interface Person extends AccountPerson {
  readonly name: string;
  readonly heightCm: number;
  readonly birthDate: string;
  readonly sex: 'female' | 'male';
  readonly firstDate: string;
  syncedMs(): number;
  /** undefined before the first and after the last known day. */
  day(date: string): PersonDay | undefined;
  /** The known days of a range, both ends included. */
  days(first: string, last: string): readonly PersonDay[];
  /** Whether this instant lies in a removed morning. */
  isRemoved(ms: number): boolean;
  snapshot(): PersonSnapshot;
}

export interface PersonSnapshot {
  readonly syncedMs: number;
  readonly revisions: readonly (readonly [date: string, revision: number, atMs: number])[];
  readonly removed: readonly string[];
  readonly firstDate: string;
}

const historyDaysDefault = 400;
const backlogMinutesDefault = 60;
const lookBackDays = 14;
/** Enough to include measurements made every few days. */
const morningDays = 4;

function changesBetween(before: PersonDay | undefined, after: PersonDay | undefined, action: 'created' | 'updated'): Change[] {
  if (!after) return [];
  const { date, startMs, endMs } = after;
  const ofDay = (kind: Change['kind']): Change => ({
    kind,
    action: before ? 'updated' : 'created',
    date,
    id: date,
    uuid: date,
    startMs,
    endMs,
  });
  const isNew = <T extends { readonly id: string }>(item: T, known: readonly T[] | undefined) =>
    action === 'updated' || !known?.some(({ id }) => id === item.id);
  const spans = (
    kind: 'sleep' | 'workout',
    items: PersonDay['sleeps'] | PersonDay['workouts'],
    known: readonly { readonly id: string }[],
  ) =>
    items
      .filter((item) => isNew<{ readonly id: string }>(item, known))
      .map(({ id, uuid, startMs: from, endMs: to }): Change => ({ kind, action, date, id, uuid, startMs: from, endMs: to }));
  const hasMoved = action === 'updated' || before?.steps !== after.steps || before.heart.length !== after.heart.length;
  return [
    ...(hasMoved ? [ofDay('activity'), ofDay('glucose')] : []),
    ...spans('sleep', after.sleeps, before?.sleeps ?? []),
    ...spans('workout', after.workouts, before?.workouts ?? []),
    ...(after.weighings.some((item) => isNew(item, before?.weighings)) ? [ofDay('body')] : []),
    ...(after.bloodPressures.some((item) => isNew(item, before?.bloodPressures)) ? [ofDay('blood_pressure')] : []),
  ];
}

/** A person whose figures are derived from name and date. Throws RangeError for an unknown time zone. */
export function createPerson(spec: PersonSpec, clock: SimulatorClock, snapshot?: PersonSnapshot): Person {
  const zone = createZone(spec.timeZone);
  const fullMinute = (ms: number) => Math.floor(ms / minuteMs) * minuteMs;
  const localDate = (ms: number) => zone.toLocal(ms).date;
  const today = () => localDate(clock.wallMs());
  const startedMs = fullMinute(clock.wallMs()) - (spec.backlogMinutes ?? backlogMinutesDefault) * minuteMs;
  let syncedMs = Math.max(snapshot?.syncedMs ?? 0, startedMs);
  const firstDate = snapshot?.firstDate ?? addDays(today(), -(spec.historyDays ?? historyDaysDefault));
  const revisions = new Map(snapshot?.revisions.map(([date, revision, atMs]) => [date, { revision, atMs }]));
  const removed = new Set(snapshot?.removed);
  const cache = new Map<string, PersonDay>();
  let synced = { ms: Number.NaN, date: '', dateBefore: '' };
  // Requested for each of hundreds of days of a response.
  const syncedDay = () => {
    if (synced.ms !== syncedMs) {
      const date = localDate(syncedMs);
      synced = { ms: syncedMs, date, dateBefore: addDays(date, -1) };
    }
    return synced;
  };

  function day(date: string): PersonDay | undefined {
    if (date < firstDate || date > syncedDay().date) return undefined;
    const { revision, atMs } = revisions.get(date) ?? { revision: 0, atMs: 0 };
    // Nights reach into the day after; both may still grow.
    const isSettled = date < syncedDay().dateBefore;
    const key = `${date} ${revision} ${isSettled ? '' : syncedMs} ${removed.size}`;
    const known = cache.get(key);
    if (known) return known;
    if (cache.size > 1000) cache.clear();
    const plan: DayPlan = { name: spec.name, zone, date, revision, revisedMs: atMs, syncedMs, removed };
    const built = buildDay(plan);
    cache.set(key, built);
    return built;
  }

  const days = (first: string, last: string) => {
    const from = first < firstDate ? firstDate : first;
    const to = last > syncedDay().date ? syncedDay().date : last;
    return from > to ? [] : datesBetween(from, to).flatMap((date) => day(date) ?? []);
  };
  const lastWholeDate = () => syncedDay().dateBefore;
  const isRemoved = (ms: number) => removed.size > 0 && morningsOf(zone, removed).some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);

  const person: Person = {
    name: spec.name,
    zone,
    get truth() {
      return person;
    },
    heightCm: 160 + (spec.name.length % 30),
    birthDate: '1988-04-12',
    sex: spec.name.length % 2 === 0 ? 'female' : 'male',
    firstDate,
    today,
    syncedMs: () => syncedMs,
    day,
    days,
    sync() {
      const from = syncedDay().dateBefore;
      const before = new Map(days(from, '9999-12-31').map((known) => [known.date, known]));
      syncedMs = Math.max(syncedMs, fullMinute(clock.wallMs()));
      return days(from, '9999-12-31').flatMap((after) => changesBetween(before.get(after.date), after, 'created'));
    },
    revise() {
      const date = lastWholeDate();
      const before = day(date);
      revisions.set(date, { revision: (revisions.get(date)?.revision ?? 0) + 1, atMs: fullMinute(clock.wallMs()) });
      return changesBetween(before, day(date), 'updated');
    },
    remove(kind) {
      const dates = datesBetween(addDays(lastWholeDate(), -lookBackDays), lastWholeDate()).toReversed();
      for (const known of dates.flatMap((date) => day(date) ?? [])) {
        const item = kind === 'workout' ? known.workouts.at(-1) : known.sleeps.at(-1);
        if (!item) continue;
        removed.add(item.id);
        const { id, uuid, startMs, endMs } = item;
        return [{ kind, action: 'deleted', date: known.date, id, uuid, startMs, endMs }];
      }
      return [];
    },
    removeMornings() {
      const dates = datesBetween(addDays(lastWholeDate(), 1 - morningDays), lastWholeDate());
      for (const date of dates) removed.add(morningOf(date));
      return morningsOf(zone, removed);
    },
    isRemoved,
    snapshot: () => ({
      syncedMs,
      firstDate,
      removed: [...removed],
      revisions: [...revisions].map(([date, { revision, atMs }]) => [date, revision, atMs] as const),
    }),
  };
  return person;
}
