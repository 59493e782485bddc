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
