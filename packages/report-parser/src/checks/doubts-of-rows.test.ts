import { expect, test } from 'vitest';
import { doubtsOfRows, type CheckedRow } from './doubts-of-rows.ts';

/** A row of a scan, such as `MCV 86.6 fL 83-99`. */
function row(name: string, value: string, unit: string | null, range = '', rest: Partial<CheckedRow> = {}): CheckedRow {
  const [min, max] = range.split('-').map(Number);
  return {
    name,
    value,
    unit,
    min: range === '' ? null : (min ?? null),
    max: range === '' ? null : (max ?? null),
    rangeText: range,
    panel: null,
    page: 0,
    isScanned: true,
    ...rest,
  };
}

const doubtsOf = (...rows: CheckedRow[]) => doubtsOfRows(rows);

test('a unit that the analyte is not measured in, or that cannot be read, is doubtful', () => {
  expect(doubtsOf(row('MCV', '28.3', 'pg'))).toEqual([['unit']]);
  expect(doubtsOf(row('RBC Count', '42.5', '%'))).toEqual([['unit']]);
  expect(doubtsOf(row('White Cell Count', '5.9', 'x10"~/oL'))).toEqual([['unit']]);
  expect(doubtsOf(row('Neutrophils', '57', '%'), row('Neutrophils', '3.1', '10^3/uL'), row('Glucose', '5.1', 'mmol/L'))).toEqual([
    [],
    [],
    [],
  ]);
});

test('all rows of a page are doubtful when several of its units contradict their names', () => {
  const shifted = [
    row('MCV', '28.3', 'pg'),
    row('MCH', '32.7', 'g/dL'),
    row('Lymphocytes', '5', '%'),
    row('Sodium', '140', 'mmol/L', '', { page: 1 }),
  ];
  expect(doubtsOf(...shifted)).toEqual([['unit', 'pairing'], ['unit', 'pairing'], ['pairing'], []]);
});

test('a usual analyte without a unit is doubtful on a scan whose other rows have one', () => {
  const [sodium, chloride, potassium] = [
    row('Sodium', '140', 'mmol/L'),
    row('Chloride', '101', 'mmol/L'),
    row('Potassium', '4.1', 'mmol/L'),
  ];
  expect(doubtsOf(sodium, chloride, potassium, row('HbA1c', '5.6', null))).toEqual([[], [], [], ['unit']]);
  expect(doubtsOf(row('Sodium', '140', null), row('HbA1c', '5.6', null))).toEqual([[], []]);
});

test('the names of two analytes in one row are doubtful', () => {
  expect(doubtsOf(row('MCHC Platelet Count', '139', '10^9/L'))).toEqual([['pairing']]);
  expect(doubtsOf(row('Magnesium, RBC', '5.3', 'mg/dL'))).toEqual([[]]);
});

test.each([
  ['a value ten times above its range', row('RDW', '165', '%', '11.5-14.5'), ['scale']],
  ['a whole number beside exact bounds that its tenth fits', row('TSH', '12', 'uIU/mL', '0.45-4.5'), ['scale']],
  ['two numbers', row('RDW', '16 5', '%', '11.5-14.5'), ['misread']],
  ['a bound without its point', row('MPV', '9.5', 'fL', '7.5-125'), ['misread']],
  [
    'a bound of one sex without its point',
    row('Potassium', '4.3', 'mmol/L', '', { rangeText: 'M: 3.1 - 4.8 F: 3.5 - 53', min: 3.5, max: 53 }),
    ['misread'],
  ],
  ['a bound that begins with a zero', row('Bilirubin Total', '1.1', 'mg/dL', '', { rangeText: '02-12', min: 2, max: 12 }), ['misread']],
  ['a unit that OCR damaged', row('Triglycerides', '69', 'ma/dL', '0-150'), ['unit']],
  ['a name with the status of a card', row('White Blood Cell Count inRange', '4.2', 'Million/uL'), ['pairing']],
  ['a high value with its point', row('CRP', '55.0', 'mg/L', '0-5'), []],
  ['a high value of a text layer', row('CRP', '55', 'mg/L', '0-5', { isScanned: false }), []],
  ['a moderately high value', row('ALT', '88', 'U/L', '0-40'), []],
])('on a scan, %s is doubtful when OCR explains it, and others are not', (_what, printed, doubts) => {
  expect(doubtsOf(printed)).toEqual([doubts]);
});

test('shares of white cells that exceed the whole are doubtful together', () => {
  const shares = (neutrophils: string) => [row('Neutrophils', neutrophils, '%'), row('Lymphocytes', '34', '%'), row('Monocytes', '5', '%')];
  expect(doubtsOf(...shares('57'))).toEqual([[], [], []]);
  expect(doubtsOf(...shares('75'))).toEqual([['sum'], ['sum'], ['sum']]);
});

test('red cell indices of a scan that do not follow from their measured values are doubtful', () => {
  const count = (hematocrit: string) => [
    row('Haemoglobin', '13.9', 'g/dL'),
    row('PCV/HCT', hematocrit, '%'),
    row('RBC Count', '4.91', '10^12/L'),
    row('MCV', '86.6', 'fL'),
    row('Platelet Count', '139', '10^9/L'),
  ];
  expect(doubtsOf(...count('42.5'))).toEqual([[], [], [], [], []]);
  expect(doubtsOf(...count('47.5'))).toEqual([[], ['sum'], ['sum'], ['sum'], []]);
});
