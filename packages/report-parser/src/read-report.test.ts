import { expect, test } from 'vitest';
import type { Page } from './model/page.ts';
import { readReport } from './read-report.ts';

const size = { width: 600, height: 800 };
const blank: Page = { words: [], ...size, ocrConfidence: 0 };

function scan(ocrConfidence: number): Page {
  const lines = [
    ['Test', 'Result', 'Units', 'Range'],
    ['Sodium', '140', 'mmol/L', '136-145'],
  ];
  const words = lines.flatMap((cells, line) =>
    cells.map((text, column) => ({ text, x: column * 100, y: 20 + line * 20, width: text.length * 5, height: 9 })),
  );
  return { words, ...size, ocrConfidence };
}

const { ocrConfidence: _, ...text } = scan(90);

test('blank backs of scanned pages do not make a report unreadable', () => {
  for (const pages of [
    [scan(90), blank, blank],
    [text, blank],
  ])
    expect(readReport(pages).results).toMatchObject([{ testName: 'Sodium', value: '140' }]);
});

test('a scan that is blank or poor fails as such', () => {
  for (const pages of [[blank], [scan(50)], [scan(50), blank], [text, scan(50)]])
    expect(() => readReport(pages)).toThrow(expect.objectContaining({ reason: 'low_quality' }) as Error);
});

test('a printout of abbreviations with the names of usual tests is in English', () => {
  const names = ['ALP', 'ALT', 'AST', 'MCV', 'MCH', 'MCHC', 'Albumin', 'Sodium'];
  const words = names.flatMap((name, line) =>
    [name, '40', 'U/L', '[30-130]', 'XYZZY', 'PLUGH', 'FROTZ'].map((part, column) => ({
      text: part,
      x: column * 60,
      y: 20 + line * 20,
      width: part.length * 5,
      height: 9,
    })),
  );
  expect(readReport([{ words, ...size }]).results.length).toBeGreaterThan(0);
});
