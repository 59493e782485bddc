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
const read = (lines: readonly string[], collected: string | null = null) =>
  readTables([page(lines)], collected).map(({ name, value, flag, unit, range, doubts = [] }) => [
    name,
    value,
    flag,
    unit,
    range,
    ...doubts,
  ]);

test('a line of text with a value and a unit or a range is a result', () => {
  expect(
    read([
      'Hemoglobin: 14.5 g/dL (Normal: 13.5 - 17.5)',
      'HbA1c: 7.2% (High) (Normal: < 5.7)',
      'Age: 45',
      'Collected: 02/01/2026',
      'Page: 1 of 2',
    ]),
  ).toEqual([
    ['Hemoglobin', '14.5', '', 'g/dL', '13.5 - 17.5'],
    ['HbA1c', '7.2', 'High', '%', '< 5.7'],
  ]);
});

test('a value with a status belongs to the name above it', () => {
  expect(read(['Sodium', 'In Range · 137 mmol/L', '', 'Potassium', 'Below Range · 3.1 mmol/L'])).toEqual([
    ['Sodium', '137', 'In Range', 'mmol/L', ''],
    ['Potassium', '3.1', 'Below Range', 'mmol/L', ''],
  ]);
});

const titles = 'Test Name        Result    Unit    Reference Range    Status';

test('cells that do not stand under their titles are read by their format', () => {
  expect(read([titles, 'Alkaline Phosphatase        78        U/L           44 - 147        Normal'])).toEqual([
    ['Alkaline Phosphatase', '78', 'Normal', 'U/L', '44 - 147'],
  ]);
});

test('with a column of previous results, no value is taken by its format alone', () => {
  const previous = 'Test Name        Previous    Result    Unit    Reference Range';
  expect(read([previous, 'Potassium        4.1                   mmol/L  3.5-5.1'])).toEqual([]);
});

test('groups of people and grades below a result are no results', () => {
  const comments = [
    'Males:           0.3-13.4  ng/mL',
    'Very High        190       mg/dL',
    '5-9.9 years      0.6-16.8  ng/mL',
    'Deficient        10        ng/mL',
  ];
  expect(read([titles, 'Leptin           0.6       ng/mL', ...comments])).toEqual([['Leptin', '0.6', '', 'ng/mL', '']]);
});

test('a line that states the method belongs to no name', () => {
  const rows = read([
    titles,
    'Sodium           140       mmol/L  135-146',
    'Method : Photometry',
    'Potassium        4.1       mmol/L  3.5-5.3',
    'Method : ISE',
  ]);
  expect(rows.map(([name]) => name)).toEqual(['Sodium', 'Potassium']);
});

test('of columns titled by dates the one of the collection is current, else the newest', () => {
  const cumulative = (...dates: readonly string[]) => [
    `Test       ${dates.join('     ')}    Units    Range`,
    'Glucose    95             101            180           mg/dL    70-99',
  ];
  const [oldest, middle, newest] = ['01/05/2025', '07/05/2025', '02/01/2026'];
  expect(read(cumulative(oldest, middle, newest))[0]?.slice(0, 2)).toEqual(['Glucose', '180']);
  expect(read(cumulative(newest, middle, oldest))[0]?.slice(0, 2)).toEqual(['Glucose', '95']);
  expect(read(cumulative(oldest, middle, newest), '07/05/2025')[0]?.slice(0, 2)).toEqual(['Glucose', '101']);
});

test('a value is doubtful when day and month decide which column is the newest', () => {
  const lines = ['Test       02/01/2026     01/03/2026    Units    Range', 'Glucose    95             101           mg/dL    70-99'];
  expect(read(lines)[0]?.at(-1)).toBe('column');
});

test('flags in and around values are no part of them', () => {
  const rows = read([
    titles,
    'Hemoglobin       9.10 [L]  g/dL    13.0-17.0',
    'Sodium           *119      mmol/L  136-145',
    'Ferritin         + 612     ng/mL   30-400',
  ]);
  expect(rows.map((row) => row.slice(1, 3))).toEqual([
    ['9.10', 'L'],
    ['119', '*'],
    ['612', '*'],
  ]);
});
