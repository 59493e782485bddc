import { describe, expect, test } from 'vitest';
import type { Word } from '../model/page.ts';
import { readMetadata } from './read-metadata.ts';

/** A page with these lines in fonts of these heights. */
const page = (...lines: readonly (readonly [height: number, text: string])[]) => ({
  words: lines.map(([height, text], index): Word => ({ text, x: 48, y: 60 + index * 30, width: text.length * height * 0.5, height })),
  width: 612,
  height: 792,
});

describe('the name of the laboratory', () => {
  test.each([
    ['SIMULATED. Not for medical use.', 'Quest'],
    ['Medical information, not for publication', 'Northside'],
    ['For use by clinic staff only.', 'Example Partners, Inc.'],
    ['Laboratory report', 'Acme Diagnostics, Ltd.'],
  ])('is not the notice %j above %j', (notice, lab) => {
    expect(readMetadata([page([18, 'Laboratory report'], [10, notice], [12, lab], [10, 'DOB: 02/01/1990'])]).labName).toBe(lab);
  });

  test('is the line that says so, even if another is larger', () => {
    expect(readMetadata([page([20, 'Jane Doe'], [10, 'Acme Pathology'])]).labName).toBe('Acme Pathology');
  });
});
