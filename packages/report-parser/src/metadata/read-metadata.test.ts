import { describe, expect, test } from 'vitest';
import type { Word } from '../model/page.ts';
import { readHead, readMetadata } from './read-metadata.ts';

/** A page with these lines in fonts of these heights. */
const page = (...lines: readonly (readonly [height: number, text: string])[]) => ({
  words: lines.map(([height, text], index): Word => ({ text, x: 48, y: 60 + index * 30, width: text.length * height * 0.5, height })),
  width: 612,
  height: 792,
});

describe('the name of the laboratory', () => {
  test.each([
    ['SIMULATED. Not for medical use.', 'Quest'],
    ['Medical information, not for publication', 'Northside Pathology'],
    ['For use by clinic staff only.', 'Example Laboratories, Inc.'],
    ['Laboratory report', 'Acme Diagnostics, Ltd.'],
  ])('is not the notice %j above %j', (notice, lab) => {
    expect(readMetadata([page([18, 'Laboratory report'], [10, notice], [12, lab], [10, 'DOB: 02/01/1990'])]).labName).toBe(lab);
  });

  test('is the line that says so, even if another is larger', () => {
    expect(readMetadata([page([20, 'Jane Doe'], [10, 'Acme Pathology'])]).labName).toBe('Acme Pathology');
  });

  test('is null when no line says so: the largest is often the patient', () => {
    const head = [[20, 'ROBIN EXAMPLE'] as const, [10, 'Age / Gender: 46 Years / Male'] as const];
    expect(readMetadata([page(...head)]).labName).toBeNull();
    expect(readMetadata([page([20, 'Robin Clinic'], [10, 'Patient: Robin Clinic'])]).labName).toBeNull();
  });
});

test.each([
  ['Age / Gender: 46 Years / Male', 'male', 46],
  ['Age/Sex : 49 Yr/F', 'female', 49],
  ['Gender: Male  Age: 43', 'male', 43],
  ['Sex: F', 'female', undefined],
  ['DOB: 03/04/1980  Sex: F  Collection Date: 02/01/2026', 'female', 45],
])('reads sex and age from %j', (line, sex, ageYears) => {
  expect(readHead([page([10, line])]).patient).toEqual({ sex, ageYears });
});

test('reads the dates by their usual titles', () => {
  const { dateCollected, dateReported } = readMetadata([
    page([10, 'Collection Date: 12-Jan-2026'], [10, 'Reporting Date & Time: 13-Jan-2026 08:15']),
  ]);
  expect([dateCollected, dateReported]).toEqual(['12-Jan-2026', '13-Jan-2026 08:15']);
});

test('age and sex are found beside a label that is a part of another text', () => {
  const head = page([10, 'Name : Mrs. Robin Example Age / Sex   : 24 Yrs / Female']);
  expect(readHead([head]).patient).toEqual({ sex: 'female', ageYears: 24 });
});
