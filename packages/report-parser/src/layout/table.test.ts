import { describe, expect, test } from 'vitest';
import type { Page } from '../model/page.ts';
import { readTables } from './table.ts';

/** A page in a monospaced font: a character is 5 points wide, a line 14 points high. */
function typewriter(lines: readonly string[]): Page {
  const words = lines.flatMap((line, index) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      x: match.index * 5,
      y: (index + 1) * 14,
      width: match[0].length * 5,
      height: 9,
    })),
  );
  return { words, width: 600, height: 800 };
}

const brief = (lines: readonly string[]) =>
  readTables([typewriter(lines)]).map(({ name, value, flag, unit, range, panel }) => [panel, name, value, flag, unit, range]);

test('reads columns by their titles, in any order', () => {
  const rows = brief([
    'Test                    Reference Range   Result    Units    Flag',
    'LIPID PANEL',
    'Cholesterol, Total      <200              212       mg/dL    H',
    'HDL Cholesterol         >=40              55        mg/dL',
  ]);
  expect(rows).toEqual([
    ['LIPID PANEL', 'Cholesterol, Total', '212', 'H', 'mg/dL', '<200'],
    ['LIPID PANEL', 'HDL Cholesterol', '55', '', 'mg/dL', '>=40'],
  ]);
});

test('separates a range from a long unit that reaches it, and a flag of two words from a value', () => {
  const rows = brief([
    'Test                    Result             Units       Reference Range',
    'White Blood Cell Count  5.2                Thousand/uL 3.4-10.8',
    'HCT                     35.5 Critical Low  %           37.5-51.0',
  ]);
  expect(rows).toEqual([
    [null, 'White Blood Cell Count', '5.2', '', 'Thousand/uL', '3.4-10.8'],
    [null, 'HCT', '35.5', 'Critical Low', '%', '37.5-51.0'],
  ]);
});

test('reads the value from either the in-range or the out-of-range column', () => {
  const rows = brief([
    'Test Name               In Range    Out Of Range    Reference Range',
    'Glucose                 90                          70-99 mg/dL',
    'Hemoglobin A1c                      6.1 H           <5.7 %',
  ]);
  expect(rows).toEqual([
    [null, 'Glucose', '90', '', 'mg/dL', '70-99 mg/dL'],
    [null, 'Hemoglobin A1c', '6.1', 'H', '%', '<5.7 %'],
  ]);
});

test('reads two tables side by side', () => {
  const rows = brief([
    'Test          Result   Units        Test          Result   Units',
    'Sodium        140      mmol/L       WBC           6.1      K/uL',
    'Potassium     4.2      mmol/L       RBC           4.9      M/uL',
  ]);
  expect(rows.map((row) => row[1])).toEqual(['Sodium', 'Potassium', 'WBC', 'RBC']);
});

test('reads rows without column titles, but ignores lines of the report header', () => {
  const rows = brief([
    'Patient: DOE, JANE      Age: 36',
    'Page 1 of 2',
    'Glucose                 90      mg/dL     70-99',
    'TSH  2.31 uIU/mL 0.450-4.500',
  ]);
  expect(rows).toEqual([
    [null, 'Glucose', '90', '', 'mg/dL', '70-99'],
    [null, 'TSH', '2.31', '', 'uIU/mL', '0.450-4.500'],
  ]);
});

test('joins the lines of a wrapped name', () => {
  const rows = brief([
    'Test                    Result    Units    Reference Range',
    'Sodium                  140       mmol/L   136-145',
    'Thyroid Stimulating',
    '(TSH) Hormone           2.31      uIU/mL   0.450-4.500',
    'Vitamin D (25-Hydroxy,  31        ng/mL    30-100',
    'Total)',
  ]);
  expect(rows.map((row) => row[1])).toEqual(['Sodium', 'Thyroid Stimulating (TSH) Hormone', 'Vitamin D (25-Hydroxy, Total)']);
});

test('reads tables side by side with column titles at different heights', () => {
  const rows = brief([
    'Electrolytes                        Blood Count',
    'Test          Result   Units        Test          Result   Units',
    'Sodium        140      mmol/L       WBC           6.1      K/uL',
    'Potassium     4.2      mmol/L       RBC           4.9      M/uL',
    '                                    MCV           90       fL',
    'Coagulation                         MCH           30       pg',
    'Test          Result   Units        Platelets     250      K/uL',
    'PT            11.2     sec          Hematocrit    44       %',
  ]);
  expect(rows.map(([panel, name, value]) => [panel, name, value])).toEqual([
    ['Electrolytes', 'Sodium', '140'],
    ['Electrolytes', 'Potassium', '4.2'],
    ['Coagulation', 'PT', '11.2'],
    ['Blood Count', 'WBC', '6.1'],
    ['Blood Count', 'RBC', '4.9'],
    ['Blood Count', 'MCV', '90'],
    ['Blood Count', 'MCH', '30'],
    ['Blood Count', 'Platelets', '250'],
    ['Blood Count', 'Hematocrit', '44'],
  ]);
});

test('uses a title above the column titles as the name of the group, with or without decoration', () => {
  const rows = brief([
    'Laboratory Report',
    'Lipid Panel',
    'Test                    Result    Units    Reference Range',
    'HDL Cholesterol         55        mg/dL    >=40',
    '*** IRON STUDIES *** (CONTINUED)',
    'Ferritin                55        ng/mL    30-400',
  ]);
  expect(rows.map(([panel, name]) => [panel, name])).toEqual([
    ['Lipid Panel', 'HDL Cholesterol'],
    ['IRON STUDIES', 'Ferritin'],
  ]);
});

test('reads results that are printed as blocks of labelled lines', () => {
  const rows = brief([
    'Test Results',
    'Coagulation',
    'INR',
    '  Normal range: 0.9 - 1.2',
    '  Your value: 2.5                    High',
    'PTT',
    '  Normal range: 24 - 33 sec',
    '  Your value: 27 sec',
  ]);
  expect(rows).toEqual([
    ['Coagulation', 'INR', '2.5', 'High', '', '0.9 - 1.2'],
    ['Coagulation', 'PTT', '27', '', 'sec', '24 - 33 sec'],
  ]);
});

test('separates the unit from a percentage, and a result from the status beside its flag', () => {
  const rows = brief([
    'Component               Value     Flag     Reference Range    Status',
    'Hematocrit              34.4 %    LL       37.5 - 51.0 %      Final',
  ]);
  expect(rows).toEqual([[null, 'Hematocrit', '34.4', 'LL', '%', '37.5 - 51.0 %']]);
});

test('does not read the header of the next page as a result of a table that continues there', () => {
  const header = 'Test                    Result    Units    Reference Range';
  const [first, second] = [
    typewriter([header, 'Sodium                  140       mmol/L   136-145']),
    typewriter(['Patient: DOE, JANE      88113     Page 2', header, 'Potassium               4.2       mmol/L   3.5-5.2']),
  ];
  expect(readTables([first, second]).map(({ name }) => name)).toEqual(['Sodium', 'Potassium']);
});

test('keeps the words of a column that begins without a gap', () => {
  const word = (text: string, x: number, width = text.length * 5) => ({ text, x, y: 28, width, height: 9 });
  const page = typewriter(['Test                    Result    Units    Reference Range']);
  const row = [word('eGFR', 0), word('90', 120), word('mL/min/1.73', 170, 45), word('>59', 215)];
  const rows = readTables([{ ...page, words: [...page.words, ...row] }]);
  expect(rows).toMatchObject([{ name: 'eGFR', value: '90', unit: 'mL/min/1.73', range: '>59' }]);
});

test('separates a name from the number in the next column that it touches', () => {
  const rows = brief([
    'Test                           Result    Units     Range',
    'ALBUMIN/CREATININE RATIO, URINE12        mg/g      0-29',
  ]);
  expect(rows).toEqual([[null, 'ALBUMIN/CREATININE RATIO, URINE', '12', '', 'mg/g', '0-29']]);
});

test('columns with unknown titles between others are no values', () => {
  const rows = brief(['Test            Apparatus      Result    Units', 'TSH             E.C.L.I.A      3.58      mIU/L']);
  expect(rows).toEqual([[null, 'TSH', '3.58', '', 'mIU/L', '']]);
});

test('removes small footnote marks from values', () => {
  const page = typewriter([
    'Test                    Result    Units    Reference Range',
    'Sodium                  140       mmol/L   136-145',
  ]);
  const mark = { text: '1', x: 136, y: 25, width: 3, height: 5 };
  expect(readTables([{ ...page, words: [...page.words, mark] }])).toMatchObject([{ name: 'Sodium', value: '140' }]);
});

test('separates flags and units that OCR joins to numbers', () => {
  const rows = brief([
    'Test Name               Result     Reference Range',
    'Glucose                 124H       70-99mg/dL',
    'MPV                     9.2fL      7.5-12.5fL',
    'Ferritin                <3L        30-400ng/mL',
  ]);
  expect(rows.map((row) => row.slice(2))).toEqual([
    ['124', 'H', 'mg/dL', '70-99 mg/dL'],
    ['9.2', '', 'fL', '7.5-12.5 fL'],
    ['<3', 'L', 'ng/mL', '30-400 ng/mL'],
  ]);
});

test('removes leaders behind a name, and keeps the point of an abbreviation', () => {
  const rows = brief([
    'Test                    Result     Units',
    'Glucose.....            90         mg/dL',
    'Iron Bind.Cap.          300        ug/dL',
  ]);
  expect(rows.map(([, name]) => name)).toEqual(['Glucose', 'Iron Bind.Cap.']);
});

describe('a name in capitals that is wrapped', () => {
  const values = '12        mg/g     <30';
  const wrapped = (...lines: readonly string[]) =>
    brief([
      'TEST                         RESULT    UNITS    REFERENCE RANGE',
      ...lines,
      'SODIUM                       140       mmol/L   136-145',
    ]);
  const rows = [
    [null, 'ALBUMIN/CREATININE RATIO, RANDOM URINE', '12', '', 'mg/g', '<30'],
    [null, 'SODIUM', '140', '', 'mmol/L', '136-145'],
  ];

  test.each([
    ['behind a comma', [`ALBUMIN/CREATININE RATIO,    ${values}`, 'RANDOM URINE']],
    ['above its values', ['ALBUMIN/CREATININE RATIO,', `RANDOM URINE                 ${values}`]],
    ['before its last words', [`ALBUMIN/CREATININE           ${values}`, 'RATIO, RANDOM URINE']],
    ['before the line of its values', ['ALBUMIN/CREATININE', `RATIO, RANDOM URINE          ${values}`]],
    ['twice', [`ALBUMIN/CREATININE           ${values}`, 'RATIO, RANDOM', 'URINE']],
  ])('a test name wrapped %s is joined', (_where, lines) => {
    expect(wrapped(...lines)).toEqual(rows);
  });

  test('around its values is joined without losing the result', () => {
    const page = typewriter([
      'TEST                         RESULT    UNITS    REFERENCE RANGE',
      '',
      '',
      '',
      'SODIUM                       140       mmol/L   136-145',
    ]);
    const place = (text: string, x: number, y: number) => ({ text, x, y, width: text.length * 5, height: 9 });
    const row = [
      place('ALBUMIN/CREATININE', 0, 34),
      place('RATIO,', 95, 34),
      place('12', 145, 39),
      place('mg/g', 195, 39),
      place('<30', 240, 39),
      place('RANDOM', 0, 44),
      place('URINE', 35, 44),
    ];
    const read = readTables([{ ...page, words: [...page.words, ...row] }]).map(({ name, value, unit, range }) => [
      name,
      value,
      unit,
      range,
    ]);
    expect(read).toEqual([
      ['ALBUMIN/CREATININE RATIO, RANDOM URINE', '12', 'mg/g', '<30'],
      ['SODIUM', '140', 'mmol/L', '136-145'],
    ]);
  });
});
