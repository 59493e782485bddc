import { minuteMs } from '@pulsewire/kernel';
import type { UserCall } from '../kit/definition/definition.ts';
import { dayNumber } from '../model/calendar.ts';
import { activityScope, sleepScope } from './data-types.ts';
import { activityCodes } from './movement-points.ts';

export interface Session {
  readonly id: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly code: number;
  readonly activeMs: number | null;
}

/** When a session was last changed, as the provider saw it. `isDeleted`: the id is all that is left of it. */
export interface LedgerEntry {
  readonly session: Session;
  readonly modifiedMs: number;
  readonly isDeleted: boolean;
  /** Changes with the session and the figures of its day. */
  readonly print: string;
}

const sleepCode = 72;
const meditationCode = 45;
/** A gap that a person slept through is at most this long. */
const gapMaxMs = 25 * minuteMs;

function sleepsOf(day: ReturnType<UserCall['account']['person']['days']>[number]): readonly Session[] {
  return day.sleeps.flatMap(({ id, startMs, endMs, stages }) => {
    const whole = { id: `s${id}`, name: '', startMs, endMs, code: sleepCode, activeMs: null };
    const gap = stages.find((span) => span.stage === 'awake' && span.startMs > startMs && span.endMs < endMs);
    // Some trackers end the session while the person is awake, and begin another.
    if (dayNumber(day.date) % 5 !== 3 || !gap || gap.endMs - gap.startMs > gapMaxMs) return [whole];
    return [
      { ...whole, endMs: gap.startMs },
      { ...whole, id: `s${id}b`, startMs: gap.endMs },
    ];
  });
}

/** Everything that is there now, oldest first. */
function currentSessions({ account: { person, name } }: UserCall): readonly Session[] {
  return person.days(person.firstDate, person.today()).flatMap((day) => {
    const workouts = day.workouts.map((workout): Session => {
      const { id, title, startMs, endMs, sport, movingSeconds } = workout;
      return { id: `w${id}`, name: title, startMs, endMs, code: activityCodes[sport], activeMs: movingSeconds * 1000 };
    });
    const noonMs = person.zone.toInstant(day.date, 13 * 3600);
    const restEndMs = noonMs + 15 * minuteMs;
    const rest = { id: `m${name}${day.date}`, name: 'Calm', startMs: noonMs, endMs: restEndMs, code: meditationCode, activeMs: null };
    const isCalm = dayNumber(day.date) % 3 === 0 && restEndMs <= person.syncedMs();
    const napMs = person.zone.toInstant(day.date, 14 * 3600 + 1800);
    // A nap that was typed in has no segments.
    const nap = { id: `n${name}${day.date}`, name: 'Nap', startMs: napMs, endMs: napMs + 20 * minuteMs, code: sleepCode, activeMs: null };
    const isNapped = dayNumber(day.date) % 4 === 1 && nap.endMs <= person.syncedMs();
    return [...sleepsOf(day), ...(isNapped ? [nap] : []), ...workouts, ...(isCalm ? [rest] : [])];
  });
}

/**
 * All sessions with the time of their last change. That is when the provider received it and not when it took place, so it is noted
 * at the first call after a change; the history of a new account has the times of its sessions.
 */
export function readLedger(call: UserCall): readonly LedgerEntry[] {
  const { account, parts } = call;
  const key = `sessions ${account.name}`;
  const known = new Map((parts.memory.get(key) as readonly LedgerEntry[] | undefined)?.map((entry) => [entry.session.id, entry]));
  const isFirst = known.size === 0;
  // Later than every token that was given out, so that none misses a change of its own millisecond.
  const nowMs = Math.max(parts.clock.wallMs(), lastToken(call) + 1);
  const current = currentSessions(call);
  const fingerprint = (session: Session) => `${JSON.stringify(session)} ${account.person.day(dateOf(call, session))?.restingHr ?? ''}`;
  const there = current.map((session): LedgerEntry => {
    const before = known.get(session.id);
    const print = fingerprint(session);
    if (before && !before.isDeleted && before.print === print) return before;
    return { session, modifiedMs: isFirst ? session.endMs + minuteMs : nowMs, isDeleted: false, print };
  });
  const ids = new Set(current.map(({ id }) => id));
  const gone = [...known.values()]
    .filter(({ session }) => !ids.has(session.id))
    .map((entry) => (entry.isDeleted ? entry : { ...entry, modifiedMs: nowMs, isDeleted: true }));
  const ledger = [...there, ...gone];
  parts.memory.set(key, ledger);
  parts.save();
  return ledger.filter(({ session }) => call.grant.scopes.includes(session.code === sleepCode ? sleepScope : activityScope));
}

const tokenKey = ({ account }: UserCall) => `session token ${account.name}`;

function lastToken(call: UserCall): number {
  return Number(call.parts.memory.get(tokenKey(call)) ?? 0);
}

/** A sync token: changes after it are those that its holder has not seen. */
export function issueToken(call: UserCall, entries: readonly LedgerEntry[]): string {
  const newest = entries.reduce((latest, { modifiedMs }) => Math.max(latest, modifiedMs), 0);
  const token = Math.max(call.parts.clock.wallMs(), newest, lastToken(call));
  call.parts.memory.set(tokenKey(call), token);
  return String(token);
}

/** The day to which a session belongs: a night to the one on which it ends. */
function dateOf({ account: { person } }: UserCall, { code, startMs, endMs }: Session): string {
  return person.zone.toLocal(code === sleepCode ? endMs : startMs).date;
}
