import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { dayNumber, isDate } from '../model/calendar.ts';
import { napOf, sessionOf } from './sessions.ts';
import { assertOwn } from './users.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const part = (current: number | string) => ({ current, average: current, score: 90, weight: 0.2, lowerRange: null, upperRange: null });
/** People of this name have no subscription: every list is empty. */
const unsubscribed = 'Unsubscribed';
const napEvery = 5;

function sessionsOf(person: Person, day: PersonDay): Readonly<Record<string, unknown>>[] {
  const nap = dayNumber(day.date) % napEvery === 0 ? napOf(person, day) : null;
  return [...day.sleeps.map((sleep) => sessionOf(person, day, sleep)), ...(nap ? [nap] : [])];
}

/** The day under way: someone lies in bed, and there are a first score and sums but no session yet. */
function liveDayOf(person: Person, { date, startMs }: PersonDay): object[] {
  if (date !== person.today() && person.zone.toLocal(person.syncedMs()).date !== date) return [];
  const presence = { presenceDuration: 5400, presenceStart: iso(startMs - 5_400_000), sleepDuration: 0 };
  return [{ day: date, score: 41, tnt: 2, incomplete: true, ...presence, sleepQualityScore: { total: 41, weight: 0.5 } }];
}

/** Some days are answered by a newer model: with their sessions come no scores or figures of health. */
const hasSeparateScores = ({ date }: PersonDay): boolean => dayNumber(date) % 4 === 1;

/** The day before the first night that the bed has recorded: its scores come from the bed before, and its sessions are gone. */
const isOfOldBed = (person: Person, { date }: PersonDay): boolean => date === person.firstDate;

/** Sums over all sessions of the day, and its scores. Days without either are left out. */
function dayOf(person: Person, day: PersonDay, withSessions: boolean): object[] {
  const [sleep] = day.sleeps;
  const sessions = sessionsOf(person, day);
  if (!sleep || sessions.length === 0) return liveDayOf(person, day);
  const { startMs, endMs, secondsOf, score } = sleep;
  const asleep = secondsOf.light + secondsOf.deep + secondsOf.rem;
  const isLast = !day.isComplete && endMs + 3_600_000 > person.syncedMs();
  const scores = {
    score,
    tnt: 21,
    sleepQualityScore: { total: score, weight: 0.5, hrv: part(sleep.hrvAverage), heartRate: part(sleep.hrAverage), waso: part(0.05) },
    sleepRoutineScore: { total: 88, latencyAsleepSeconds: part(sleep.latencySeconds), wakeupConsistency: part('06:30:00') },
  };
  const isWithoutScores = withSessions && hasSeparateScores(day);
  return [
    {
      day: day.date,
      ...(!isWithoutScores && scores),
      processing: isLast ? true : undefined,
      incomplete: false,
      presenceDuration: (endMs - startMs) / 1000 + 1800,
      sleepDuration: asleep,
      lightDuration: secondsOf.light,
      deepDuration: secondsOf.deep,
      remDuration: secondsOf.rem,
      deepPercent: secondsOf.deep / asleep,
      remPercent: secondsOf.rem / asleep,
      snoreDuration: 0,
      heavySnoreDuration: 0,
      snorePercent: 2,
      presenceStart: iso(startMs),
      presenceEnd: iso(endMs + 1_800_000),
      sleepStart: iso(startMs),
      sleepEnd: iso(endMs),
      mainSessionId: String(startMs / 1000),
      sessionIds: sessions.map(({ id }) => id),
      ...(withSessions && { sessions: isOfOldBed(person, day) ? [] : sessions }),
    },
  ];
}

function trends(call: UserCall): ApiResponse {
  assertOwn(call);
  const { account, query } = call;
  const { person, name } = account;
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  if (!query.get('tz')) throw invalid('tz is required');
  if (!isDate(from) || !isDate(to) || to < from) throw invalid('from and to are wrong');
  if (name.startsWith(unsubscribed)) return { body: { days: [], avgScore: 0 } };
  const withSessions = query.get('include-all-sessions') === 'true';
  const days = person.days(from, to).flatMap((day) => dayOf(person, day, withSessions));
  return { body: { days, avgScore: 80, avgPresenceDuration: 28_000, avgSleepDuration: 25_000, avgDeepPercent: 0.2, avgTnt: 20 } };
}

/** The newest ten; only `next` leads to more, and the last page has none. */
function intervals(call: UserCall): ApiResponse {
  assertOwn(call);
  const { person, name } = call.account;
  if (name.startsWith(unsubscribed)) return { body: { intervals: [] } };
  const all = person
    .days(person.firstDate, person.today())
    .flatMap((day) => sessionsOf(person, day))
    .toReversed();
  const position = Number(Buffer.from(call.query.get('next') ?? '', 'base64url').toString() || 0);
  const end = position + 10;
  const next = end < all.length ? { next: Buffer.from(String(end)).toString('base64url') } : {};
  return { body: { ...next, intervals: all.slice(position, end) } };
}

const get = { method: 'GET', auth: 'user' } as const;

export const trendsRoute: ApiRoute = { ...get, kind: 'trends', path: '/users/:id/trends', respond: trends };
export const intervalsRoute: ApiRoute = { ...get, kind: 'intervals', path: '/users/:id/intervals', respond: intervals };
