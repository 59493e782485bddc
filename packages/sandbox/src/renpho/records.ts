import { dayNumber } from '../model/calendar.ts';
import { hash32 } from '../model/seeded.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';

export type Row = Readonly<Record<string, unknown>>;

const weighedMinute = 7 * 60 + 15;
/** More than a double holds exactly. */
const rowId = (key: string) =>
  `#19${String(hash32(key)).padStart(10, '0')}${String(hash32(`${key}#`))
    .slice(-7)
    .padStart(7, '0')}`;

/** `-5:00`: hours without a leading zero. */
function zoneText({ zone }: Person, ms: number): string {
  const text = zone.offsetText(ms).slice(-6);
  return text.replace(/^\+?(-?)0?(\d)/, '$1$2');
}

function common(person: Person, key: string, ms: number): Row {
  const local = person.zone.localText(ms).slice(0, 19).replace('T', ' ');
  return {
    id: rowId(key),
    timeStamp: Math.floor(ms / 1000),
    timeZone: zoneText(person, ms),
    localCreatedAt: local,
    createdAt: local,
    updatedAt: local,
    invalidFlag: 0,
  };
}

/** The values from impedance; without it all of them are 0. */
function compositionOf(kg: number, fatPercent: number, isMeasured: boolean): Row {
  const of = (value: number) => (isMeasured ? Math.round(value * 100) / 100 : 0);
  return {
    bodyfat: of(fatPercent),
    water: of(54.1),
    protein: of(17.2),
    subfat: of(fatPercent * 0.85),
    muscle: of(48.6),
    smmMass: of(kg * 0.486),
    sinew: of(kg * 0.74),
    sinewRatio: of(74),
    fatFreeWeight: of(kg * (1 - fatPercent / 100)),
    bone: of(3.1),
    visfat: of(7),
    bmr: of(1520),
    bodyage: of(34),
    heartRate: 0,
    cardiacIndex: 0,
    weightMin: 55,
    weightMax: 74.3,
    bodyfatMin: 11,
    bodyfatMax: 21,
    boneStd: 3,
  };
}

/** The person's weighing of a day: with impedance, on some days only the weight, typed in, with strings for numbers or a time in ms. */
export function weighingOf({ person, providerUserId }: SimAccount, day: PersonDay): Row[] {
  const ms = person.zone.toInstant(day.date, weighedMinute * 60);
  if (ms > person.syncedMs()) return [];
  const variant = dayNumber(day.date) % 8;
  const kg = 69.4 + day.restingHr / 100;
  const isTyped = variant === 3;
  const row: Row = {
    ...common(person, `${person.name} ${day.date}`, ms),
    bUserId: `#${providerUserId}`,
    subUserId: `#${providerUserId}`,
    weight: variant === 5 ? kg.toFixed(2) : kg,
    bmi: Math.round((kg / (person.heightCm / 100) ** 2) * 10) / 10,
    ...compositionOf(kg, 20 + (day.restingHr % 20) / 10, !isTyped && variant !== 4),
    deviceType: isTyped ? '00000' : '02D3',
    internalModel: isTyped ? '' : '0005',
    scaleName: isTyped ? '' : 'ES-CS20M',
    mac: isTyped ? '' : 'AA:BB:CC:00:11:22',
    method: isTyped ? 0 : 2,
    personType: 0,
    gender: person.sex === 'male' ? 1 : 0,
    height: person.heightCm,
    birthday: person.birthDate,
    // Some scales also measure the pulse.
    ...(variant === 1 && { heartRate: day.restingHr + 9 }),
    ...(variant === 6 && { timeStamp: ms }),
  };
  return [row];
}

/**
 * Rows that are in the same tables and no measurements of this person: a child's on the shared scale, and one that the app marked invalid.
 */
export function othersOf({ person, providerUserId }: SimAccount, day: PersonDay): Row[] {
  const ms = person.zone.toInstant(day.date, weighedMinute * 60 + 90);
  if (ms > person.syncedMs()) return [];
  const child = '#1900000000000000042';
  const shared = { weight: 31.4, bmi: 15.9, ...compositionOf(31.4, 0, false), deviceType: '02D3', method: 2 };
  const childs = { ...common(person, `child ${person.name} ${day.date}`, ms), ...shared, bUserId: child, subUserId: child };
  const owner = `#${providerUserId}`;
  const invalid = {
    ...common(person, `invalid ${person.name} ${day.date}`, ms),
    ...shared,
    weight: 12.2,
    bUserId: owner,
    subUserId: owner,
    invalidFlag: 1,
  };
  return dayNumber(day.date) % 8 === 7 ? [childs, invalid] : [childs];
}

/** Every sixth day with a tape; what was not measured is 0. */
export function girthOf({ person, providerUserId }: SimAccount, day: PersonDay): Row[] {
  const ms = person.zone.toInstant(day.date, weighedMinute * 60 + 600);
  if (dayNumber(day.date) % 6 !== 0 || ms > person.syncedMs()) return [];
  const value = (name: string, cm: number): Row => ({ [`${name}Value`]: cm, [`${name}Unit`]: 0 });
  const names = ['neck', 'shoulder', 'chest', 'abdomen', 'leftArm', 'rightArm'].map((name) => value(name, 0));
  return [
    Object.assign(
      { ...common(person, `girth ${person.name} ${day.date}`, ms), bUserId: `#${providerUserId}`, whrValue: 0.84 },
      ...names,
      value('waist', 70 + day.restingHr / 5),
      value('hip', 95.5),
    ) as Row,
  ];
}
