import type { FitFields } from './fit.ts';
import { either, fieldsOf, scaled, type FitReader } from './fit-fields.ts';
import { roundTo } from '../values/numbers.ts';

/** How the figures of several sessions, such as the parts of a triathlon, become one. */
type Combination = 'sum' | 'highest' | 'mean' | 'none';

const notZero =
  (field: number): FitReader =>
  (fields) =>
    fields.get(field) || null;

const figures = {
  distance: ['sum', scaled(9, 100)],
  calories: ['sum', scaled(11, 1)],
  total_elevation_gain: ['sum', scaled(22, 1)],
  max_hr: ['highest', notZero(17)],
  max_speed: ['highest', either(scaled(125, 1000), scaled(15, 1000))],
  max_watts: ['highest', notZero(21)],
  average_hr: ['mean', notZero(16)],
  average_speed: ['mean', either(scaled(124, 1000), scaled(14, 1000))],
  average_watts: ['mean', notZero(20)],
  weighted_average_watts: ['none', notZero(34)],
} as const satisfies Readonly<Record<string, readonly [Combination, FitReader]>>;

export type SessionFigure = keyof typeof figures;

const elapsed = scaled(fieldsOf.session.elapsed, 1000);
const moving = scaled(fieldsOf.session.moving, 1000);
const sum = (values: readonly number[]) =>
  roundTo(
    values.reduce((a, b) => a + b, 0),
    3,
  );

/** Weighted with the time in motion of each session; null unless all of those with a value have a duration. */
function mean(sessions: readonly FitFields[], read: FitReader): number | null {
  const parts = sessions.flatMap((session) => {
    const value = read(session);
    return value === null ? [] : [{ value, seconds: moving(session) ?? elapsed(session) ?? 0 }];
  });
  const seconds = sum(parts.map((part) => part.seconds));
  if (seconds === 0 || parts.some((part) => part.seconds === 0)) return null;
  return roundTo(parts.reduce((total, part) => total + part.value * part.seconds, 0) / seconds, 3);
}

function combine(sessions: readonly FitFields[], combination: Combination, read: FitReader): number | null {
  const [only] = sessions;
  if (only && sessions.length === 1) return read(only);
  const values = sessions.flatMap((session) => read(session) ?? []);
  if (values.length === 0 || combination === 'none') return null;
  if (combination === 'mean') return mean(sessions, read);
  return combination === 'sum' ? sum(values) : values.reduce((a, b) => Math.max(a, b));
}

const transition = 3;

/** Files that were joined, or uploaded twice, state a session again; those without a start cannot be told apart. */
function withoutCopies(sessions: readonly FitFields[]): readonly FitFields[] {
  const { start, sport, elapsed: length } = fieldsOf.session;
  const keyOf = (session: FitFields, index: number) =>
    session.get(start) === undefined ? index : [start, sport, length].map((field) => session.get(field)).join(' ');
  return [...new Map(sessions.map((session, index) => [keyOf(session, index), session])).values()];
}

/** What the sessions of a file say together. */
export function readFitSessions(all: readonly FitFields[]) {
  const sessions = withoutCopies(all);
  const sports = new Set(sessions.flatMap((session) => session.get(fieldsOf.session.sport) ?? []).filter((sport) => sport !== transition));
  const names = Object.keys(figures) as SessionFigure[];
  const read = names.map((name) => {
    const [combination, reader] = figures[name];
    return [name, combine(sessions, combination, reader)] as const;
  });
  return {
    elapsedSeconds: combine(sessions, 'sum', elapsed),
    movingSeconds: combine(sessions, 'sum', moving),
    /** Null for a single sport, which the provider names better. */
    sport: sports.size > 1 ? ('multisport' as const) : null,
    figures: Object.fromEntries(read) as Record<SessionFigure, number | null>,
  };
}
