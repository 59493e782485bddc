import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { isDate } from '../model/calendar.ts';
import { hash32 } from '../model/seeded.ts';
import { assertNamed } from './account-tokens.ts';
import { contentsOf, energyOf, foodsOf } from './foods.ts';
import { reportOf } from './report.ts';

const known = ['diary_meal', 'exercise_entry', 'steps_aggregate', 'water'];

function dayOf({ account, query }: UserCall): PersonDay | undefined {
  const date = query.get('entry_date') ?? '';
  if (!isDate(date)) throw invalid('entry_date must be a date');
  return account.person.day(date);
}

function sumOf(a: unknown, b: unknown): number | null {
  return typeof a === 'number' || typeof b === 'number' ? Math.round((Number(a ?? 0) + Number(b ?? 0)) * 100) / 100 : null;
}

/** The total of each meal, without its foods. */
function mealsOf({ account: { person } }: UserCall, day: PersonDay): readonly Readonly<Record<string, unknown>>[] {
  const meals = Map.groupBy(foodsOf(person, day), ({ meal }) => meal);
  return [...meals].map(([meal, foods]) => {
    const parts = foods.map((eaten) => contentsOf(person, eaten));
    const names = new Set(parts.flatMap((part) => Object.keys(part).filter((name) => name !== 'energy')));
    const total = [...names].map((name) => [name, parts.map((part) => part[name]).reduce(sumOf, null)]);
    const kcal = foods.reduce((sum, eaten) => sum + eaten.kcal, 0);
    const contents = { ...Object.fromEntries(total), energy: energyOf(person, kcal) } as object;
    return { type: 'diary_meal', date: day.date, diary_meal: meal, nutritional_contents: contents };
  });
}

/** Glasses of water; some versions of the app state cups only. */
function waterOf({ account: { name } }: UserCall, { date }: PersonDay): readonly object[] {
  const cups = hash32(`water ${name} ${date}`) % 9;
  return cups === 0 ? [] : [{ type: 'water', date, cups, ...(cups % 2 === 0 && { milliliters: cups * 236.588 }) }];
}

function diary(call: UserCall): ApiResponse {
  assertNamed(call);
  const types = (call.query.get('types') ?? call.query.get('types[]') ?? known.join(',')).split(',');
  if (types.some((type) => !known.includes(type))) throw invalid('unsupported-diary-type: Unrecognized diary entry type(s)');
  const day = dayOf(call);
  if (!day) return { body: { items: [] } };
  const id = `s${hash32(`${call.account.name} ${day.date}`)}`;
  const energy = energyOf(call.account.person, day.activeKcal);
  const steps = { id, type: 'steps_aggregate', date: day.date, steps: day.steps, energy, primary: true };
  const exercises = reportOf(call.account.person, day, { food: false, exercise: true })['exercise_entries'] as readonly {
    readonly type: string;
  }[];
  const items = [...mealsOf(call, day), ...waterOf(call, day), ...exercises, steps] as readonly { readonly type: string }[];
  return { body: { items: items.filter(({ type }) => types.includes(type)) } };
}

function measurements(call: UserCall): ApiResponse {
  assertNamed(call);
  const [first] = dayOf(call)?.weighings ?? [];
  if (!first) return { body: { items: [] } };
  const { zone } = call.account.person;
  const pounds = { type: 'Weight', unit: 'pounds', value: Math.round(first.kg * 22.046_226) / 10 };
  const updated = zone.offsetText(first.ms).replace('.000', '');
  return { body: { items: [{ id: `w${first.id}`, ...pounds, date: call.query.get('entry_date'), updated_at: updated }] } };
}

const get = { method: 'GET', auth: 'user' } as const;

export const dayRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'diary', path: '/v2/diary', respond: diary },
  { ...get, kind: 'measurements', path: '/v2/measurements', respond: measurements },
];
