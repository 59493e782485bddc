import { expect, test } from 'vitest';
import { readReport } from '../read-report.ts';

/** A scanned page of a table; a text followed by `~40` was read with this confidence. */
function scan(...lines: readonly (readonly string[])[]) {
  const words = lines.flatMap((cells, line) =>
    cells.map((cell, column) => {
      const [text = '', confidence = '95'] = cell.split('~');
      return { text, x: column * 100, y: 20 + line * 20, width: text.length * 5, height: 9, confidence: Number(confidence) };
    }),
  );
  return { words, width: 600, height: 800, ocrConfidence: 95 };
}
const header = ['Test', 'Result', 'Units', 'Range', 'Previous'];

test('a result is as certain as the least certain number of its value and range', () => {
  const page = scan(
    header,
    ['Sodium', '140~41', 'mmol/L', '136-145', '139~3'],
    ['Potassium', '4.2', 'mmol/L', '3.5-5.2~52'],
    ['B12~20', '400', 'pg/mL~30', '200-900'],
    ['Color', 'Yellow~20', '', ''],
  );
  expect(readReport([page]).results.map(({ testName, confidence }) => [testName, confidence])).toEqual([
    ['Sodium', 41],
    ['Potassium', 52],
    ['B12', 95],
    ['Color', null],
  ]);
});

test('a result whose name OCR is uncertain of is doubtful, and one with a certain name and number is not', () => {
  const page = scan(header, ['Ilemoglobin~46', '16.7', 'g/dL', '13.2-17.1'], ['Sodium', '140', 'mmol/L', '136-145']);
  expect(readReport([page]).results.map(({ testName, doubts }) => [testName, doubts])).toEqual([
    ['Ilemoglobin', ['misread']],
    ['Sodium', []],
  ]);
});
