import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { describe, expect, it } from 'vitest';
import { browserPath, skippedBecause } from '../../integration/console/browser.ts';
import { chromiumPrinter } from './engines/chromium.ts';
import { inFolder } from './engines/folder.ts';
import { layouts } from './layouts/all.ts';
import { nationalInOut } from './layouts/us/national-in-out.ts';
import { Report } from './report/report.ts';

describe('Printed reports', () => {
  it('give the same page and the same truth for the same seed, in every layout', () => {
    for (const layout of layouts) {
      const [first, second] = [1, 2].map(() => {
        const report = new Report(layout.country, 'seed', layout.style);
        return { source: layout.print(report), ...report.truth() };
      });
      expect(first).toEqual(second);
      expect(first?.rows.length).toBeGreaterThan(5);
    }
  });

  it('have as truth only LOINC codes whose check digit is right', () => {
    const codes = layouts.flatMap((layout) => {
      const report = new Report(layout.country, 'codes', layout.style);
      layout.print(report);
      return report.truth().rows.flatMap(({ loinc, loincAlso }) => [...(loinc === null ? [] : [loinc]), ...loincAlso]);
    });
    expect(codes.filter((code) => !hasRightCheckDigit(code))).toEqual([]);
  });
});

describe.skipIf(browserPath === undefined)(`A report that the browser printed${skippedBecause}`, () => {
  it('has each name, value, unit and range of its truth in its text', async () => {
    const report = new Report(nationalInOut.country, 'text', nationalInOut.style);
    const source = nationalInOut.print(report);
    const text = await inFolder(async (folder) => {
      const pdf = path.join(folder, 'report.pdf');
      await chromiumPrinter.print([{ source, pdf }]);
      return textOf(await readFile(pdf));
    });
    const { rows, person } = report.truth();
    const printed = rows.flatMap((row) => [row.name, row.value, row.unit, row.range.text]);
    const missing = [...printed, person.name, person.labName].filter((part) => part !== null && !text.includes(withoutBlanks(part)));
    expect(missing).toEqual([]);
  });
});

async function textOf(pdf: Uint8Array): Promise<string> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(pdf);
    const texts = [...document.pages()].map((page) => page.getText());
    document.destroy();
    return withoutBlanks(texts.join(' '));
  } finally {
    library.destroy();
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

function hasRightCheckDigit(code: string): boolean {
  const [digits = '', check] = code.split('-');
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return (10 - (sum % 10)) % 10 === Number(check);
}
