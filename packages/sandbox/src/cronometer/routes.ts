import type { ApiCall, ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { datesBetween, isDate } from '../model/calendar.ts';
import { hash32 } from '../model/seeded.ts';
import { diaryOf, emptyDiary, fastsOf, isLeftOut, macrosOf, mealsOf } from './diary.ts';

const rangeDaysMax = 365;
/** A diary takes long to put together: for more days the gateway gives up. */
const diaryDaysMax = 60;

function fieldOf({ json }: ApiCall, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

function dateOf(call: ApiCall, name: string): string {
  const value = fieldOf(call, name);
  if (typeof value !== 'string' || !isDate(value)) throw invalid(`${name} must be a date`);
  return value;
}

/** Both ends included. */
function rangeOf(call: ApiCall): readonly string[] {
  const [start, end] = [dateOf(call, 'start'), dateOf(call, 'end')];
  if (end < start) throw invalid('end is before start');
  const dates = datesBetween(start, end);
  if (dates.length > rangeDaysMax) throw invalid('The range is too long');
  return dates;
}

/** One object for a day, a list for a range; some empty days are missing in it. */
function diarySummary(call: UserCall): ApiResponse {
  const { person } = call.account;
  const withFood = fieldOf(call, 'food') === true;
  const summaryOf = (date: string) => {
    const [day] = person.days(date, date);
    return day ? diaryOf(person, day, withFood) : emptyDiary(date, withFood);
  };
  if (fieldOf(call, 'day') !== undefined) return { body: summaryOf(dateOf(call, 'day')) };
  const dates = rangeOf(call);
  // Only one client knows ranges; this stands for servers that do not.
  if (hash32(`ranges ${call.account.name}`) % 2 === 0) throw invalid('day is required');
  if (dates.length > diaryDaysMax) throw new RefusalError('server_error', 'Gateway timeout', { status: 504 });
  const leftOut = new Set(
    person
      .days(dates[0] ?? '', dates.at(-1) ?? '')
      .filter((day) => isLeftOut(person, day))
      .map(({ date }) => date),
  );
  return { body: dates.filter((date) => !leftOut.has(date)).map(summaryOf) };
}

/** The days that hold data. */
function dataSummary(call: UserCall): ApiResponse {
  const { person } = call.account;
  const dates = rangeOf(call);
  const days = person.days(dates[0] ?? '', dates.at(-1) ?? '').filter((day) => mealsOf(person, day).length > 0);
  return { body: { days: days.map(({ date }) => date), signup: person.firstDate } };
}

function macroSummary(call: UserCall): ApiResponse {
  const date = dateOf(call, 'day');
  const [day] = call.account.person.days(date, date);
  return { body: macrosOf(day ? mealsOf(call.account.person, day) : []) };
}

function fastingSummary(call: UserCall): ApiResponse {
  const dates = rangeOf(call);
  return { body: { fasts: fastsOf(call.account.person, dates) } };
}

const targets = { Energy: { min: 1800, max: 2300, unit: 'kcal' }, Protein: { min: 60, unit: 'g' } };

/** Expects a valid access token in the query. */
function deauthorize({ query, parts }: ApiCall): ApiResponse {
  const grant = parts.grants.authenticate(query.get('access_token'));
  parts.grants.endOne(grant.grantId);
  parts.save();
  return { body: {} };
}

const post = { method: 'POST', auth: 'user' } as const;
const root = '/api_v1';

export const cronometerRoutes: readonly ApiRoute[] = [
  { ...post, kind: 'diary_summary', path: `${root}/diary_summary`, respond: diarySummary },
  { ...post, kind: 'data_summary', path: `${root}/data_summary`, respond: dataSummary },
  { ...post, kind: 'macro_summary', path: `${root}/macro_summary`, respond: macroSummary },
  { ...post, kind: 'fasting_summary', path: `${root}/fasting_summary`, respond: fastingSummary },
  { ...post, kind: 'targets', path: `${root}/targets`, respond: () => ({ body: targets }) },
  { kind: 'revoke', method: 'POST', path: '/oauth/deauthorize', auth: 'open', respond: deauthorize },
];
