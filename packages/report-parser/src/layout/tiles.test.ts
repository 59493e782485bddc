import { expect, test } from 'vitest';
import { readTables } from './table.ts';

/** A page in a monospaced font: a character is 5 points wide, a line 14 points high. */
const page = (lines: readonly string[]) => ({
  words: lines.flatMap((line, index) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      x: match.index * 5,
      y: (index + 1) * 14,
      width: match[0].length * 5,
      height: 9,
    })),
  ),
  width: 600,
  height: 800,
});
const read = (lines: readonly string[]) =>
  readTables([page(lines)]).map(({ name, value, flag, unit, range, panel, doubts = [] }) => [
    panel,
    name,
    value,
    flag,
    unit,
    range,
    ...doubts,
  ]);

test('tiles side by side are read one by one: names, below them values, below these ranges', () => {
  expect(
    read([
      'Kidney',
      'Normal                   Low                    Normal',
      'Bilirubin Total          Blood Urea             Uric Acid',
      '1.0 mg/dL                11.2 mg/dL             5.0 mg/dL',
      'Ref: 0.2 - 1.2           Ref: 17 - 43           Ref: 2.5 - 7.0',
      'TSH                      T4, Free',
      'In Range · 3.95 mIU/L    Above Range · 2.1 ng/dL',
      'Reference range: 0.40-4.50 mIU/L   Reference range: 0.8-1.8 ng/dL',
    ]).map(([, name, value, , unit, range]) => [name, value, unit, range]),
  ).toMatchObject([
    ['Bilirubin Total', '1.0', 'mg/dL', '0.2 - 1.2'],
    ['Blood Urea', '11.2', 'mg/dL', '17 - 43'],
    ['Uric Acid', '5.0', 'mg/dL', '2.5 - 7.0'],
    ['TSH', '3.95', 'mIU/L', '0.40-4.50 mIU/L'],
    ['T4, Free', '2.1', 'ng/dL', ''],
  ]);
});

test('limits in columns of their own are the range', () => {
  expect(
    read([
      'Test                 Result      Unit       Low      High',
      'TSH                  1.79        mIU/L      0.40     4.50',
      'Insulin              17.1        uIU/mL              18.4',
      'HDL-C                49          mg/dL      40',
    ]).map(([, name, , , , range]) => [name, range]),
  ).toEqual([
    ['TSH', '0.40 - 4.50'],
    ['Insulin', '<= 18.4'],
    ['HDL-C', '>= 40'],
  ]);
});

test('serial numbers are no parts of names', () => {
  const rows = read([
    'S.No.  Test                  Specimen    Result     Unit      Biological     Ref.',
    '                                                              Interval',
    '1      Blood Urea            Serum       11.8 (L)   mg/dL     17-43',
    '2      Serum Creatinine      Serum       0.92       mg/dL     0.74-1.35',
  ]);
  expect(rows.map(([, name, value, flag, unit, range]) => [name, value, flag, unit, range])).toEqual([
    ['Blood Urea', '11.8', 'L', 'mg/dL', '17-43'],
    ['Serum Creatinine', '0.92', '', 'mg/dL', '0.74-1.35'],
  ]);
});

test('a unit in brackets behind the name is the unit, and other words in brackets stay', () => {
  expect(read(['Lipoprotein (a) (nmol/L)        47        <75', 'Ferritin (ng/mL)                188       16 - 232'])).toEqual([
    [null, 'Lipoprotein (a)', '47', '', 'nmol/L', '<75'],
    [null, 'Ferritin', '188', '', 'ng/mL', '16 - 232'],
  ]);
});

test('a range in brackets, or behind a label, below a result is the range of it', () => {
  expect(
    read([
      'Hemoglobin            18.1 g/dL',
      '(13.2-17.1)',
      'Sodium                142        mmol/L',
      'Ref: 133-146 mmol/L',
      'Cholesterol           4.9 mmol/L              Normal',
      'Important for energy and for nerves.       Range: < 5.0',
    ]).map(([, name, , , , range]) => [name, range]),
  ).toEqual([
    ['Hemoglobin', '(13.2-17.1)'],
    ['Sodium', '133-146 mmol/L'],
    ['Cholesterol', '< 5.0'],
  ]);
});

test('ranges of both sexes on two lines belong to one result, whose name continues beside the second', () => {
  expect(
    read([
      'Creatinine                     0.93      mg/dL     Male: 0.74 - 1.35 /',
      '                                                   Female: 0.59 - 1.04',
      'Alanine Aminotransferase       25        U/L       Male: 9 - 46 /',
      '(ALT/SGPT), Serum                                  Female: 6 - 29',
    ]).map(([, name, , , , range]) => [name, range]),
  ).toEqual([
    ['Creatinine', 'Male: 0.74 - 1.35 / Female: 0.59 - 1.04'],
    ['Alanine Aminotransferase (ALT/SGPT), Serum', 'Male: 9 - 46 / Female: 6 - 29'],
  ]);
});

test('findings with the expected one in brackets are results, in rows and in lines of text', () => {
  expect(read(['Color            Dark Yellow      (Yellow)      abnormal', 'Appearance       Clear            (Clear)'])).toEqual([
    [null, 'Color', 'Dark Yellow', 'abnormal', '', 'Yellow'],
    [null, 'Appearance', 'Clear', '', '', 'Clear'],
  ]);
  expect(read(['Nitrite: Negative (Normal: Negative)', 'Free T4: not processed (normal range 12.0 to 22.0)'])).toEqual([
    [null, 'Nitrite', 'Negative', '', '', 'Negative'],
    [null, 'Free T4', 'not processed', '', '', '12.0 to 22.0'],
  ]);
});

test('flags between asterisks and flags in a column before the value are flags', () => {
  expect(read(['Ferritin: 284 ng/mL (Normal: 16 - 232) *HIGH*', 'MCHC              H      351      g/L      ( 315 - 345 )'])).toMatchObject(
    [
      [null, 'Ferritin', '284', 'HIGH', 'ng/mL', '16 - 232'],
      [null, 'MCHC', '351', 'H', 'g/L', '( 315 - 345 )'],
    ],
  );
});

test('a heading close above a usual test is no part of its name', () => {
  expect(
    read([
      'Cholesterol           4.9 mmol/L              Normal',
      'explained here       Range: < 5.0',
      'Inflammation',
      'hs-CRP                0.6 mg/L                Normal',
    ]).map(([panel, name]) => [panel, name]),
  ).toEqual([
    [null, 'Cholesterol'],
    ['Inflammation', 'hs-CRP'],
  ]);
});

test('the second line of a usual name in capitals of its own is a part of it', () => {
  expect(
    read([
      'Test                   Result Unit        Low      High',
      'Sex Hormone Binding    49 nmol/L          10       50',
      'Globulin',
      'Estradiol              54 pg/mL                    39',
      'Estrone                30 pg/mL                    60',
    ]).map(([, name]) => name),
  ).toEqual(['Sex Hormone Binding Globulin', 'Estradiol', 'Estrone']);
});

test('a flag that stands under the title of the unit is a flag', () => {
  expect(
    read([
      'Analyte                Result     Units      Reference',
      'BUN/Creatinine Ratio   32         H          6-22',
      'Glucose                90         mg/dL      70-99',
    ]),
  ).toMatchObject([
    [null, 'BUN/Creatinine Ratio', '32', 'H', '', '6-22'],
    [null, 'Glucose', '90', '', 'mg/dL', '70-99'],
  ]);
});

test('the number of a page below the last result is no part of its name', () => {
  expect(read(['Chlamydia, NAA: Not Detected (Normal: Not Detected)', '1']).map(([, name]) => name)).toEqual(['Chlamydia, NAA']);
});
