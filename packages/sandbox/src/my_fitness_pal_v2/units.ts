import type { Person } from '../kit/person/person.ts';

/** A number with its unit, which depends on the settings of the account. */
export interface MeasuredValue {
  readonly unit: string;
  readonly value: number;
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
const isImperial = ({ sex }: Person) => sex === 'female';

/** Some people count kilojoules. */
export function energyOf(person: Person, kcal: number): MeasuredValue {
  return person.sex === 'female' ? { unit: 'kilojoules', value: round(kcal * 4.184, 2) } : { unit: 'calories', value: round(kcal, 1) };
}

export function weightOf(person: Person, kg: number): MeasuredValue {
  return isImperial(person) ? { unit: 'pounds', value: round(kg / 0.453_592_37, 1) } : { unit: 'kilograms', value: round(kg, 1) };
}

export function distanceOf(person: Person, meters: number): MeasuredValue {
  return isImperial(person)
    ? { unit: 'miles', value: round(meters / 1609.344, 4) }
    : { unit: 'kilometers', value: round(meters / 1000, 4) };
}

export function climbOf(person: Person, meters: number): MeasuredValue {
  return isImperial(person) ? { unit: 'feet', value: round(meters / 0.3048, 1) } : { unit: 'meters', value: meters };
}

export function heightOf(person: Person): MeasuredValue {
  return isImperial(person) ? { unit: 'inches', value: round(person.heightCm / 2.54, 1) } : { unit: 'centimeters', value: person.heightCm };
}
