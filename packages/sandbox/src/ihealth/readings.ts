import { dayNumber } from '../model/calendar.ts';
import type { Person } from '../kit/person/person.ts';
import type { BloodPressure, PersonDay, Weighing } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { offsetDigits, wallSeconds, wallText } from './times.ts';

export type Item = Readonly<Record<string, unknown>>;

const kpaPerMmHg = 0.133322;
const poundsPerKg = 2.20462262;
const mgPerMmol = 18.0182;
/** Minutes of the day at which a finger is pricked, and the person's meal situation. The last one is in no list of the vendor. */
const situations: ReadonlyMap<number, string> = new Map([
  [7 * 60, 'Before_breakfast'],
  [9 * 60, 'After_Breakfast'],
  [12 * 60, 'Before_lunch'],
  [19 * 60, 'Before_Dinner'],
  [21 * 60, 'Casual'],
]);
const oxygenMinute = 9 * 60 + 30;

/** 32 hexadecimal digits. */
export const dataId = (key: string) => uuidOf(`ihealth reading:${key}`).replaceAll('-', '');

/** What every reading has. The last change is true UTC. */
function common(person: Person, key: string, ms: number): Item {
  return {
    DataID: dataId(`${person.name} ${key}`),
    DataSource: 'FromDevice',
    LastChangeTime: Math.floor(ms / 1000) + 37,
    MDate: wallSeconds(person, ms),
    Note: '',
    TimeZone: offsetDigits(person, ms),
  };
}

/** With the fields of 2023 on. Some cuffs do not count the pulse, which is then 0. */
export function bloodPressureItem(person: Person, { id, ms, systolic, diastolic, pulse }: BloodPressure, isMmHg: boolean): Item {
  const scaled = (mmHg: number) => (isMmHg ? mmHg : mmHg * kpaPerMmHg);
  return {
    ...common(person, `bp ${id}`, ms),
    BPL: 11,
    HP: scaled(systolic),
    HR: Number(id) % 3 === 0 ? 0 : pulse,
    IsArr: -1,
    LP: scaled(diastolic),
    Lat: -1,
    Lon: -1,
    measurement_time: wallText(person, ms),
    time_zone: person.zone.offsetText(ms).slice(-6),
  };
}

/** Five readings a day; the one at noon has a note and was typed in. A reading of 0 failed. */
export function glucoseItems(person: Person, day: PersonDay, isMmol: boolean): Item[] {
  return day.glucose.flatMap(({ ms, value }) => {
    const { minute } = person.zone.toLocal(ms);
    const situation = situations.get(minute);
    if (situation === undefined) return [];
    const isNoon = minute === 12 * 60;
    const hasFailed = minute === 21 * 60 && dayNumber(day.date) % 5 === 0;
    return [
      {
        ...common(person, `bg ${ms}`, ms),
        BG: hasFailed ? 0 : isMmol ? Math.round((value / mgPerMmol) * 10) / 10 : value,
        DinnerSituation: situation,
        DrugSituation: 'Before_taking_pills',
        Lat: 0,
        Lon: 0,
        ...(isNoon && { Note: 'After a long walk.\r\nFelt fine.', DataSource: 'Manual' }),
      },
    ];
  });
}

/** One measurement at the finger a day, sometimes without oxygen or without pulse. */
export function oxygenItem(person: Person, day: PersonDay): Item[] {
  const ms = person.zone.toInstant(day.date, oxygenMinute * 60);
  if (ms > person.syncedMs() || person.isRemoved(ms)) return [];
  const variant = dayNumber(day.date) % 6;
  return [
    {
      ...common(person, `bo ${day.date}`, ms),
      BO: variant === 5 ? 0 : Math.round(day.spo2),
      HR: variant === 4 ? 0 : day.restingHr + 9,
      Lat: 0,
      Lon: 0,
    },
  ];
}

/** Long decimals, no place; on some days the scale measured only the weight. */
export function weightItem(person: Person, { id, ms, kg, fatPercent }: Weighing, isKg: boolean): Item {
  const isWeightOnly = Number(id) % 4 === 0;
  return {
    ...common(person, `weight ${id}`, ms),
    BMI: isWeightOnly ? 0 : kg / (person.heightCm / 100) ** 2,
    BoneValue: isWeightOnly ? 0 : 3.1,
    DCI: isWeightOnly ? 0 : 1510.5,
    FatValue: isWeightOnly ? 0 : fatPercent,
    MuscaleValue: isWeightOnly ? 0 : 54.2,
    WaterValue: isWeightOnly ? 0 : 52.7,
    WeightValue: isKg ? kg : kg * poundsPerKg,
  };
}
