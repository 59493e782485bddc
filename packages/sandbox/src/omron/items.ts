import { dayNumber } from '../model/calendar.ts';
import { hash32 } from '../model/seeded.ts';
import type { Person } from '../kit/person/person.ts';
import type { BloodPressure, PersonDay, Weighing } from '../kit/person/types.ts';

/** A measurement as it is sent, with the local date by which `since` selects. */
export interface Item {
  readonly date: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const poundsPerKg = 2.20462262;

function timesOf({ zone }: Person, ms: number): Readonly<Record<string, string>> {
  const local = zone.offsetText(ms);
  return {
    dateTime: `${new Date(ms).toISOString().slice(0, 19)}Z`,
    dateTimeLocal: local.slice(0, 19),
    dateTimeUtcOffset: local.slice(-6),
  };
}

/** Numbers, or in some accounts texts of numbers. */
function pressureOf(person: Person, { id, ms, systolic, diastolic, pulse }: BloodPressure): Readonly<Record<string, unknown>> {
  const shown = Number(id) % 2 === 0 ? (value: number) => value : String;
  return {
    id: Number(id),
    ...timesOf(person, ms),
    systolic: shown(systolic),
    diastolic: shown(diastolic),
    pulse: shown(pulse),
    bloodPressureUnits: 'mmHg',
    pulseUnits: 'bpm',
    deviceType: 'BP7900',
    ...(Number(id) % 3 === 0 && { possibleAfib: false }),
  };
}

/** An alert of an irregular rhythm is in the list of pressures, with zeros. */
function rhythmNotice(person: Person, { date }: PersonDay): Item[] {
  const ms = person.zone.toInstant(date, 20 * 3600);
  if (dayNumber(date) % 7 !== 0 || ms > person.syncedMs()) return [];
  const id = 5_000_000_000 + hash32(`${person.name} rhythm ${date}`);
  const zeros = { systolic: 0, diastolic: 0, pulse: 0, bloodPressureUnits: 'mmHg', pulseUnits: 'bpm' };
  return [{ date, body: { id, ...timesOf(person, ms), ...zeros, deviceType: 'BP7900', possibleAfib: true } }];
}

export function bloodPressuresOf(person: Person, day: PersonDay): Item[] {
  const measured = day.bloodPressures.map((reading) => ({ date: day.date, body: pressureOf(person, reading) }));
  return [...measured, ...rhythmNotice(person, day)];
}

/** Figures are texts. Nobody has seen where the unit is: a recording without one is in `as_recorded`. */
function weightOf(person: Person, { id, ms, kg, fatPercent }: Weighing): Readonly<Record<string, unknown>> {
  const variant = Math.floor(ms / 86_400_000) % 4;
  const isKg = variant === 1;
  return {
    // A text, beyond what a number holds exactly.
    id: `9${id.padStart(18, '0')}`,
    ...timesOf(person, ms),
    weight: (isKg ? kg : kg * poundsPerKg).toFixed(2),
    weightUnits: isKg ? 'kg' : 'lb',
    bmiValue: (kg / (person.heightCm / 100) ** 2).toFixed(1),
    bodyFatPercentage: fatPercent.toFixed(1),
    deviceType: 'BCM-500',
  };
}

export function weightsOf(person: Person, { date, weighings }: PersonDay): Item[] {
  return weighings.map((weighing) => ({ date, body: weightOf(person, weighing) }));
}

/** A day up to now, by its first instant; hours only on request. */
export function activityOf(person: Person, day: PersonDay, hasHours: boolean): Item[] {
  if (day.steps === 0) return [];
  const hourly = day.hours.map(({ startMs, steps, activeKcal, distanceM }) => ({
    hour: String(Math.floor(person.zone.toLocal(startMs).minute / 60)),
    steps,
    calories: activeKcal,
    distance: String(distanceM),
  }));
  const body = {
    id: 7_000_000_000 + hash32(`${person.name} activity ${day.date}`),
    ...timesOf(person, day.startMs),
    steps: day.steps,
    calories: day.activeKcal,
    dailyDistance: String(day.distanceM),
    deviceType: 'HJ-327T',
    ...(hasHours && { hourlyActivityData: hourly }),
  };
  return [{ date: day.date, body }];
}
