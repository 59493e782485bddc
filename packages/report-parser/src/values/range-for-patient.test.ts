import { expect, test } from 'vitest';
import { rangeForPatient, type Patient } from './range-for-patient.ts';

const woman: Patient = { sex: 'female', ageYears: 45 };
const unknown: Patient = { sex: undefined, ageYears: undefined };

test.each([
  ['M: 13.5-17.5 F: 12.0-15.5', woman, 12, 15.5],
  ['Male 30-400, Female 15-150', woman, 15, 150],
  ['Men <50 Women <35', woman, null, 35],
  ['13.5-17.5 (M) 12.0-15.5 (F)', woman, 12, 15.5],
  ['<50y: 0-20 >50y: 0-30', woman, 0, 20],
  ['18 - 60 years: 0.6-1.2', woman, 0.6, 1.2],
  ['Adult: 11.7-15.5', woman, 11.7, 15.5],
  ['Adults: 35-144 1-12 yrs: 100-320', woman, 35, 144],
])('of the ranges %s the one of the patient applies', (text, patient, min, max) => {
  expect(rangeForPatient(text, null, patient)).toMatchObject({ min, max });
});

test.each([
  ['M: 13.5-17.5 F: 12.0-15.5', unknown],
  ['M: 13.5-17.5', woman],
  ['Adult: 11.7-15.5', { sex: undefined, ageYears: 12 } as const],
  ['Adult: 11.7-15.5', unknown],
  ['<50y: 0-20 >50y: 0-30', { sex: undefined, ageYears: 50 } as const],
  ['Male: 13-17 see note 4', woman],
  ['F 1-2 '.repeat(100), woman],
])('no range of %s applies when none or several fit, or more is printed', (text, patient) => {
  expect(rangeForPatient(text, null, patient)).toBeUndefined();
});
