import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber, isDate } from '../model/calendar.ts';
import { type Item, diaryOf, diaryTypes, listedTypes, withFields } from './diary.ts';
import { assertOwn } from './headers.ts';
import { mealNames } from './meals.ts';
import { paged } from './paging.ts';
import { weightOf, heightOf } from './units.ts';

/** The first weight of a day; value and unit are flat. Later ones of the day are not listed. */
function weightsOf({ person }: SimAccount, day: PersonDay): readonly Item[] {
  const [first] = day.weighings;
  if (!first) return [];
  const { unit, value } = weightOf(person, first.kg);
  const updated = { updated_at: person.zone.offsetText(Math.max(first.ms + 5000, day.updatedMs)).replace('.000', '') };
  return [{ id: `m${first.id}`, type: 'weight', value, unit, date: day.date, ...(dayNumber(day.date) % 2 === 0 && updated) }];
}

function dayOf({ account }: UserCall, query: URLSearchParams): PersonDay | undefined {
  const date = query.get('entry_date') ?? '';
  if (!isDate(date)) throw invalid('entry_date must be a date');
  return account.person.day(date);
}

function typesOf(query: URLSearchParams, known: readonly string[], refusal: string): readonly string[] | null {
  const types = query.get('types')?.split(',') ?? null;
  if (types?.some((type) => !known.includes(type)) === true) throw invalid(refusal);
  return types;
}

/** Now and then a day cannot be read at once; the refusal does not say when to try again. */
function assertUnhurried({ account, grant, parts, query }: UserCall): void {
  const date = query.get('entry_date') ?? '';
  const key = `hurried ${grant.grantId} ${date}`;
  if (!isDate(date) || dayNumber(date) % 13 !== 0 || parts.memory.has(key) || account.person.day(date) === undefined) return;
  parts.memory.set(key, true);
  throw new RefusalError('rate_limited', 'Too many requests');
}

function diary(call: UserCall): ApiResponse {
  assertUnhurried(call);
  return paged(call, (query) => {
    const types = typesOf(query, diaryTypes, 'unsupported-diary-type: Unrecognized diary entry type(s)') ?? listedTypes;
    const day = dayOf(call, query);
    const items = day ? diaryOf(call.account, day) : [];
    return items.filter(({ type }) => types.includes(String(type))).map((item) => withFields(item, query));
  });
}

const allDays = ({ account: { person } }: UserCall) => person.days(person.firstDate, person.today()).toReversed();

function one(call: UserCall, listOf: (day: PersonDay) => readonly Item[]): ApiResponse {
  for (const day of allDays(call)) {
    const item = listOf(day).find(({ id }) => id === call.params['id']);
    if (item) return { body: { item: withFields(item, call.query) } };
  }
  throw new RefusalError('not_found', 'No such entry');
}

function measurements(call: UserCall): ApiResponse {
  return paged(call, (query) => {
    typesOf(query, ['weight'], 'measurement/101: The measurement type is not supported');
    const day = dayOf(call, query);
    return day ? weightsOf(call.account, day) : [];
  });
}

function user({ account, params, query }: UserCall): ApiResponse {
  const { person, providerUserId } = account;
  if (params['id'] !== providerUserId) throw new RefusalError('not_found', 'No such user');
  const sex = person.sex === 'female' ? 'F' : 'M';
  const profile = { type: 'user', birthdate: person.birthDate, sex, activity_factor: 'active', height: heightOf(person) };
  const wanted = new Set(query.getAll('fields[]'));
  const all = {
    profiles: [{ type: 'coach', headline: 'Ask me about squats' }, profile],
    account: { created_at: '2008-06-01T13:45:04Z' },
    location_preferences: { time_zone: person.zone.name },
    goal_preferences: { daily_step_goal: 15_000, daily_energy_goal: { value: 2100, unit: 'calories' } },
    diary_preferences: { meal_names: mealNames },
  };
  const shown = Object.entries(all).filter(([name]) => wanted.has(name));
  return { body: { item: { id: providerUserId, username: person.name.toLowerCase().replaceAll(' ', '_'), ...Object.fromEntries(shown) } } };
}

function checked(respond: (call: UserCall) => ApiResponse): (call: UserCall) => ApiResponse {
  return (call) => {
    assertOwn(call);
    return respond(call);
  };
}

const get = { method: 'GET', auth: 'user' } as const;

export const dataRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'diary', path: '/v2/diary', scope: 'diary', respond: checked(diary) },
  {
    ...get,
    kind: 'diary.entry',
    path: '/v2/diary/:id',
    scope: 'diary',
    respond: checked((call) => one(call, (day) => diaryOf(call.account, day))),
  },
  { ...get, kind: 'measurements', path: '/v2/measurements', scope: 'measurements', respond: checked(measurements) },
  {
    ...get,
    kind: 'measurements.entry',
    path: '/v2/measurements/:id',
    scope: 'measurements',
    respond: checked((call) => one(call, (day) => weightsOf(call.account, day))),
  },
  { ...get, kind: 'user', path: '/v2/users/:id', respond: checked(user) },
];
