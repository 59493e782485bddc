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

test('a method in brackets below a result is no part of its name', () => {
  expect(
    read([
      'Test Name                     Results     Units      Bio. Ref. Interval',
      'Creatinine                    0.64        mg/dL      0.59 - 1.04',
      '(Modified Jaffe)',
      'Total RBC Count               4.08        mill/mm3   3.80 - 5.10',
      '(Electrical Impedance)',
      'Urea                          37.3        mg/dL      17 - 43',
    ]),
  ).toEqual([
    [null, 'Creatinine', '0.64', '', 'mg/dL', '0.59 - 1.04'],
    [null, 'Total RBC Count', '4.08', '', 'mill/mm3', '3.80 - 5.10'],
    [null, 'Urea', '37.3', '', 'mg/dL', '17 - 43'],
  ]);
});

test('lines in brackets below most results are no parts of their names, whatever they say', () => {
  const lines = ['Sodium', 'Potassium', 'Chloride', 'Calcium'].flatMap((name, index) => [
    `${name.padEnd(30)}${String(10 + index).padEnd(12)}mmol/L     5 - 20`,
    '(Analyser seven)',
  ]);
  const rows = read(['Test Name                     Results     Units      Range', ...lines]);
  expect(rows.map(([, name]) => name)).toEqual(['Sodium', 'Potassium', 'Chloride', 'Calcium']);
});

test('a range in the line below a result is the range of it', () => {
  expect(
    read(['Full blood count', 'Hb', '148 g/L', 'Normal range: 120 to 150 g/L', 'MCV', '83.1 fL', 'Normal range: 80.0 to 100.0 fL']),
  ).toMatchObject([
    ['Full blood count', 'Hb', '148', '', 'g/L', '120 to 150 g/L'],
    ['Full blood count', 'MCV', '83.1', '', 'fL', '80.0 to 100.0 fL'],
  ]);
});

test('a mark between name and value is a flag', () => {
  expect(
    read([
      'Sodium                       *       147 mmol/L          ( 133 - 146 )',
      'Potassium                            5.0 mmol/L          ( 3.5 - 5.3 )',
    ]),
  ).toEqual([
    [null, 'Sodium', '147', '*', 'mmol/L', '( 133 - 146 )'],
    [null, 'Potassium', '5.0', '', 'mmol/L', '( 3.5 - 5.3 )'],
  ]);
});

test('results in two columns without titles are read column by column', () => {
  expect(
    read([
      'Sodium            144     mmol/L [133-146]        WBC        9.5     10^9/L [4.0-11.0]',
      'Urea              2.3 L   mmol/L [2.5-7.8]        Hb         160 H   g/L [120-150]',
      'Creatinine         70     umol/L [45-84]          HCT      0.423     L/L [0.360-0.460]',
      'Albumin            41     g/L [35-50]             MCV       88.4     fL [80.0-100.0]',
    ]).map(([, ...row]) => row),
  ).toEqual([
    ['Sodium', '144', '', 'mmol/L', '[133-146]'],
    ['Urea', '2.3', 'L', 'mmol/L', '[2.5-7.8]'],
    ['Creatinine', '70', '', 'umol/L', '[45-84]'],
    ['Albumin', '41', '', 'g/L', '[35-50]'],
    ['WBC', '9.5', '', '10^9/L', '[4.0-11.0]'],
    ['Hb', '160', 'H', 'g/L', '[120-150]'],
    ['HCT', '0.423', '', 'L/L', '[0.360-0.460]'],
    ['MCV', '88.4', '', 'fL', '[80.0-100.0]'],
  ]);
});

test('value, flag and unit close together under two titles are separated', () => {
  expect(
    read([
      'Test name                      Result units       Ref.    range      Site Code',
      'BUN                               30 H mg/dL       7 - 25             [542]',
      'EGFR                               81 mL/min/1.73m2 >=60             [542]',
      'HCT                              30.9 L %          35.0 - 45.0        [542]',
      'RED BLOOD CELLS                  3.44 L M/cmm      3.80 - 5.10        [542]',
    ]),
  ).toMatchObject([
    [null, 'BUN', '30', 'H', 'mg/dL', '7 - 25'],
    [null, 'EGFR', '81', '', 'mL/min/1.73m2', '>=60'],
    [null, 'HCT', '30.9', 'L', '%', '35.0 - 45.0'],
    [null, 'RED BLOOD CELLS', '3.44', 'L', 'M/cmm', '3.80 - 5.10'],
  ]);
});

test('a colon between name and value is no part of either, and ranges by sex may touch the unit', () => {
  expect(
    read([
      'TEST                      RESULT           UNITS         NORMAL RANGE',
      'Hemoglobin                : 12.6            g/dL         M: 13.2-17.1 F: 11.7-15.5',
      'RBC Count                 : 4.40            million/cumm M: 4.20-5.80 F: 3.80-5.10',
      'HDL Cholesterol           : Not done        mg/dL        M: >40 F: >50',
      'RA Factor                 : Positive 1:40                Negative',
    ]),
  ).toEqual([
    [null, 'Hemoglobin', '12.6', '', 'g/dL', 'M: 13.2-17.1 F: 11.7-15.5'],
    [null, 'RBC Count', '4.40', '', 'million/cumm', 'M: 4.20-5.80 F: 3.80-5.10'],
    [null, 'HDL Cholesterol', 'Not done', '', 'mg/dL', 'M: >40 F: >50'],
    [null, 'RA Factor', 'Positive 1:40', '', '', 'Negative'],
  ]);
});

test('a title between rows of dashes is no part of the next name', () => {
  expect(
    read([
      'TEST                     RESULT FLAG   REFERENCE        UNITS',
      '--- COAGULATION (PT AND PTT) ----------------------------------',
      'PROTHROMBIN TIME           10.0        (9.0-11.5)       sec',
      'INR                         1.1        (0.9-1.1)',
    ]),
  ).toEqual([
    ['COAGULATION (PT AND PTT)', 'PROTHROMBIN TIME', '10.0', '', 'sec', '(9.0-11.5)'],
    ['COAGULATION (PT AND PTT)', 'INR', '1.1', '', '', '(0.9-1.1)'],
  ]);
});

test('the head of a following page makes no rows', () => {
  expect(
    read([
      'TEST NAME             TECHNOLOGY          VALUE         UNITS        Bio. Ref. Interval',
      'A : G RATIO           CALCULATED          1.4           Ratio        0.9-2',
      'EXAMPLE WELLNESS                          REPORT RELEASED ON : 19 Sep 2025 20:09',
      'Specimen Collection   Date                Jun 14,       2026',
    ]).map(([, name]) => name),
  ).toEqual(['A : G RATIO']);
});

test('columns titled by ambiguous dates are told apart by one clear date or by their sequence', () => {
  for (const titles of ['09/02/24    06/07/24    02/24/24', '09/02/24    06/07/24    02/06/24'])
    expect(
      read([
        `Test                ${titles}    Units       Range`,
        'Sodium              133 L       146         147         mmol/L      135-146',
      ]),
    ).toEqual([[null, 'Sodium', '133', 'L', 'mmol/L', '135-146']]);
});
