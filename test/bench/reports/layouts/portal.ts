// A patient portal: each result is a block of lines, with its range before its value.
import { dates, flags, patients, plainStyle, ranges } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

export const portal: Layout = {
  name: 'portal',
  style: () => ({ ...plainStyle, ...ranges.spaced, flags: flags.words, date: dates.words, patient: patients.firstLast }),
  panels: (random) => random.some(['lipids', 'thyroid', 'glycemia', 'vitamins', 'coagulation', 'immunology'], 2),
  print(report) {
    const { lab } = report;
    const sheet = new Sheet('sans', (page) => {
      page.put(54, 'Test Results', { bold: true, size: 16 });
      page.put(54, `Name: ${report.patient}`, { size: 10 }, 62);
      page.put(240, `Date of Birth: ${report.dob}`, { size: 10 }, 62);
      page.put(430, `Sex: ${report.gender}`, { size: 10 }, 62);
      page.put(54, `Collected on: ${report.collected}`, { size: 10 }, 76);
      page.put(240, `Reported on: ${report.reported}`, { size: 10 }, 76);
      page.put(54, `Performing laboratory: ${lab.name}`, { size: 10 }, 90);
      page.put(360, `Specimen ID: ${report.specimen}`, { size: 10 }, 90);
      page.rule(54, 558, 106);
      page.y = 116;
      page.put(54, `Page ${page.pages}`, { size: 8, grey: true }, 764);
    });
    for (const panel of report.panels) {
      sheet.need(70);
      sheet.put(54, panel.title, { bold: true, size: 13 });
      sheet.y += 22;
      for (const result of panel.results) {
        sheet.need(48);
        sheet.put(54, result.name, { bold: true, size: 10.5 });
        sheet.y += 14;
        if (result.range !== '') {
          sheet.put(62, `Normal range: ${[result.range, result.unit].filter(Boolean).join(' ')}`, { grey: true });
          sheet.y += 12;
        }
        sheet.put(62, `Your value: ${[result.value, result.unit].filter(Boolean).join(' ')}`);
        sheet.put(300, result.flag, { bold: true });
        sheet.y += 20;
      }
      sheet.y += 4;
    }
    return sheet;
  },
};
