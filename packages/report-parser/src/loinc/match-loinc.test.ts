import { describe, expect, test } from 'vitest';
import type { Analyte } from '../model/report.ts';
import { createLoincMatcher } from './match-loinc.ts';
import { spellingLikeness } from './spelling.ts';

const analyte = (loincCode: string, displayName: string, aliases: string[], units: string[]): Analyte => ({
  loincCode,
  loincName: `${displayName} in Serum or Plasma`,
  displayName,
  aliases,
  units,
});
const match = createLoincMatcher([
  analyte('2345-7', 'Glucose', ['Glucose, Serum'], ['mg/dL']),
  analyte('14749-6', 'Glucose', ['Glucose'], ['mmol/L']),
  analyte('4548-4', 'Hemoglobin A1c', ['HbA1c', 'A1c'], ['%']),
  analyte('2093-3', 'Cholesterol, Total', ['Total Cholesterol', 'Cholesterol'], ['mg/dL']),
  analyte('2085-9', 'HDL Cholesterol', ['HDL', 'HDL-C'], ['mg/dL']),
  analyte('1920-8', 'AST', [], ['U/L']),
  analyte('2986-8', 'Testosterone, total', [], ['ng/dL']),
  analyte('15067-2', 'FSH', [], ['IU/L']),
  { loincCode: '25428-4', loincName: 'Urine glucose', displayName: 'Urine glucose', aliases: [], units: [] },
  { loincCode: '5794-3', loincName: 'Urine blood', displayName: 'Urine blood', aliases: [], units: [] },
]);
const detailed = createLoincMatcher([
  analyte('13457-7', 'LDL cholesterol, calculated', [], ['mg/dL']),
  analyte('54434-6', 'LDL particle number', [], ['nmol/L']),
  analyte('770-8', 'Neutrophils %', [], ['%']),
  analyte('751-8', 'Neutrophils, absolute', [], ['10*3/uL']),
  analyte('48065-7', 'D-dimer', [], ['ug/mL FEU']),
  analyte('98979-8', 'eGFR (CKD-EPI 2021)', [], ['mL/min/1.73m2']),
]);
const codes = (name: string, unit: string | null) => match(name, unit).matches.map(({ loincCode }) => loincCode);

test('uses the unit to choose between analytes of the same name', () => {
  expect(codes('Glucose', 'mg/dL')[0]).toBe('2345-7');
  expect(codes('Glucose', 'mmol/L')[0]).toBe('14749-6');
});

test('matches names in any word order and with OCR errors', () => {
  expect(match('CHOLESTEROL TOTAL', 'mg/dL')).toMatchObject({ status: 'auto_match', matches: [{ loincCode: '2093-3' }] });
  expect(match('Hemoglobin Alc', '%')).toMatchObject({ status: 'auto_match', matches: [{ loincCode: '4548-4' }] });
});

test('matches a name by itself or by its abbreviation in parentheses', () => {
  expect(match('Aspartate Aminotransferase (AST)', 'U/L')).toMatchObject({ status: 'auto_match', matches: [{ loincCode: '1920-8' }] });
  expect(match('AST (SGOT)', 'U/L')).toMatchObject({ status: 'auto_match', matches: [{ loincCode: '1920-8' }] });
});

test('requires a review when parentheses may distinguish another analyte', () => {
  expect(match('Testosterone (Equilibrium dialysis)', 'ng/dL').status).toBe('needs_review');
  expect(match('Measles Antibody (IgG)', null).status).toBe('no_match');
});

test('matches urine results only with urine analytes', () => {
  expect(match('Glucose', null, 'urine')).toMatchObject({ status: 'auto_match', matches: [{ loincCode: '25428-4' }] });
  expect(match('Blood', null, 'urine').matches[0]?.loincCode).toBe('5794-3');
  expect(match('Glucose', null, 'urine').matches).toHaveLength(1);
  expect(match('Glucose', 'mg/dL', 'serum_plasma_blood').matches.map(({ loincCode }) => loincCode)).not.toContain('25428-4');
});

test('treats another unit of the same kind as the same analyte, and moles as another', () => {
  expect(match('FSH', 'mIU/mL')).toMatchObject({ status: 'auto_match', matches: [{ loincCode: '15067-2' }] });
  expect(match('Testosterone', 'nmol/L').matches.map(({ loincCode }) => loincCode)).toEqual(['14913-8']);
});

test('requires a review for a name that is only similar, and finds no match for an unknown one', () => {
  expect(match('HDL Cholesterol Particles', 'mg/dL').status).toBe('needs_review');
  expect(match('Zonulin', 'ng/mL')).toEqual({ status: 'no_match', matches: [] });
});

test.each([
  ['HDLCholesterol', 'auto_match'],
  ['H DL Choles terol', 'auto_match'],
  ['HDI Cholestenol', 'needs_review'],
])('%s is HDL cholesterol: letters are confused, spaces added or lost', (name, status) => {
  expect(match(name, 'mg/dL').status).toBe(status);
  expect(codes(name, 'mg/dL')[0]).toBe('2085-9');
});

test.each([
  ['Glucose, CSF', 'mg/dL'],
  ['Testosterone (Salivary)', 'ng/dL'],
  ['Hemoglobin S', '%'],
  ['Thyroid Peroxidase Antibody', 'IU/mL'],
])('%s in %s has no candidate: an analyte of another specimen or substance is none', (name, unit) => {
  expect(codes(name, unit)).toEqual([]);
});

describe('what distinguishes codes is printed or left to a review', () => {
  test.each([
    ['LDL Cholesterol', 'mg/dL', '2089-1', 'auto_match'],
    ['LDL Cholesterol', 'mmol/L', '22748-8', 'auto_match'],
    ['LDL Cholesterol, calculated', 'mmol/L', '39469-2', 'auto_match'],
    ['LDL-P', 'nmol/L', '54434-6', 'auto_match'],
    ['Neutrophils', '%', '770-8', 'auto_match'],
    ['Neutrophils', '10^3/uL', '751-8', 'auto_match'],
    ['Neutrophils', null, '770-8', 'needs_review'],
    ['D-dimer', 'mg/L FEU', '48065-7', 'auto_match'],
    ['D-dimer', 'ng/mL DDU', '48066-5', 'auto_match'],
    ['D-dimer', 'ng/mL', '48065-7', 'needs_review'],
    ['eGFR', 'mL/min/1.73m2', '98979-8', 'needs_review'],
    ['eGFR (CKD-EPI 2021)', 'mL/min/1.73m2', '98979-8', 'auto_match'],
  ])('of the result %s in %s: code %s, %s', (name, unit, code, status) => {
    const found = detailed(name, unit);
    expect([found.matches[0]?.loincCode, found.status]).toEqual([code, status]);
  });

  test('a clearance in mL/min is no filtration rate of the body surface', () => {
    expect(detailed('Creatinine clearance', 'mL/min').status).toBe('no_match');
  });
});

test('a short name and its digits must be spelled exactly', () => {
  expect(match('FSN', 'IU/L').status).toBe('no_match');
  expect(spellingLikeness('complement c3', 'complement c4')).toBe(0);
  expect(spellingLikeness('ferri', 'ferrit')).toBe(0);
  expect(spellingLikeness('ferritin', 'fernitin')).toBe(7 / 8);
  expect(match('Hemoglobin A2c', '%').matches.map(({ confidenceScore }) => confidenceScore)).not.toContain(0.83);
});

test('a finding in words is not matched without review with an analyte that has a unit', () => {
  const withFactor = createLoincMatcher([analyte('11572-5', 'Rheumatoid factor', ['RA factor'], ['IU/mL'])]);
  expect(withFactor('RA factor', null, 'unknown', true).status).toBe('needs_review');
  expect(withFactor('RA factor', null, 'unknown', false).status).toBe('auto_match');
});

test.each([
  ['Adjusted calcium', 'mmol/L', '29265-6'],
  ['Phosphate', 'mmol/L', '14879-1'],
  ['Non HDL cholesterol', 'mmol/L', '70204-3'],
  ['Urea', 'mg/dL', '3091-6'],
])('%s in %s is an analyte of its own, whatever the catalogue offers', (name, unit, code) => {
  const { status, matches } = match(name, unit);
  expect([status, matches[0]?.loincCode]).toEqual(['auto_match', code]);
});
