import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { dayNumber, isDate } from '../model/calendar.ts';

type Item = Readonly<Record<string, unknown>>;

const noonMinute = 12 * 60;

function pressuresOf(person: Person, day: PersonDay): Item[] {
  return day.bloodPressures.flatMap(({ id, ms, systolic, diastolic, pulse }) => {
    const item = { id, measured_at: person.zone.offsetText(ms), systolic, diastolic, pulse, manual: Number(id) % 4 === 0, deleted: false };
    // A guest's reading, which the person has deleted: it stays in the list.
    const guest = { ...item, id: `${id}9`, measured_at: person.zone.offsetText(ms + 60_000), systolic: 160, deleted: true };
    return dayNumber(day.date) % 2 === 0 ? [item, guest] : [item];
  });
}

function glucoseOf(person: Person, day: PersonDay): Item[] {
  return day.glucose
    .filter(({ ms }) => person.zone.toLocal(ms).minute === noonMinute)
    .map(({ ms, value }) => ({ id: `g${ms}`, measured_at: person.zone.offsetText(ms), glucose_mg_dl: value }));
}

/** On some days the scale measured only the weight. */
function weighingsOf(person: Person, day: PersonDay): Item[] {
  return day.weighings.map(({ id, ms, kg, fatPercent }) => ({
    id,
    measured_at: person.zone.offsetText(ms),
    weight: kg,
    ...(Number(id) % 5 === 0 ? { fat_percent: 0 } : { fat_percent: fatPercent, water_percent: 54.1, muscle_percent: 42.3, bone_kg: 3.1 }),
  }));
}

function oxygenOf(person: Person, day: PersonDay): Item[] {
  const ms = person.zone.toInstant(day.date, 9 * 3600);
  if (ms > person.syncedMs() || person.isRemoved(ms)) return [];
  return [{ id: `o${day.date}`, measured_at: person.zone.offsetText(ms), spo2_percent: Math.round(day.spo2), pulse: day.restingHr + 8 }];
}

const kinds: Readonly<Record<string, (person: Person, day: PersonDay) => Item[]>> = {
  blood_pressure: pressuresOf,
  glucose: glucoseOf,
  weight: weighingsOf,
  oxygen: oxygenOf,
};

/** Weights are wrapped, the others bare: both forms are allowed. */
function measurements({ account: { person }, query }: UserCall): ApiResponse {
  const type = query.get('type') ?? '';
  const since = query.get('since') ?? '';
  const read = kinds[type];
  if (!read || !isDate(since)) throw invalid('type or since is wrong');
  const items = person.days(since, person.today()).flatMap((day) => read(person, day));
  return { body: type === 'weight' ? { items } : items };
}

export const measurementsRoute: ApiRoute = {
  kind: 'measurements',
  method: 'GET',
  path: '/measurements',
  auth: 'user',
  respond: measurements,
};
