// A reference laboratory: name, result, flag, units, reference interval, and the number of the performing laboratory.
import { flags, patients, plainStyle, ranges } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

export const resultFlag: Layout = {
  name: 'result-flag',
  style: (random) => ({
    ...plainStyle,
    ...ranges.hyphen,
    flags: random.chance(0.5) ? flags.words : flags.letters,
    patient: patients.lastFirstUpper,
  }),
  panels: (random) => random.some(['metabolic', 'lipids', 'differential', 'glycemia', 'thyroid', 'vitamins'], 3),
  print(report) {
    const { lab } = report;
    const sheet = new Sheet('sans', (page) => {
      page.put(36, lab.name, { bold: true, size: 14 });
      page.put(576, 'Patient Report', { size: 12, align: 'right' });
      page.rule(36, 576, 58);
      page.put(36, `Patient: ${report.patient}`, {}, 66);
      page.put(36, `DOB: ${report.dob}`, {}, 78);
      page.put(36, `Age: ${report.age}`, {}, 90);
      page.put(180, `Sex: ${report.gender}`, {}, 90);
      page.put(260, `Specimen ID: ${report.specimen}`, {}, 66);
      page.put(260, `Phone: ${lab.phone}`, {}, 78);
      page.put(430, `Date Collected: ${report.collected}`, {}, 66);
      page.put(430, `Date Received: ${report.received}`, {}, 78);
      page.put(430, `Date Reported: ${report.reported}`, {}, 90);
      page.rule(36, 576, 104);
      page.y = 112;
      page.put(36, 'TESTS', { bold: true });
      page.put(236, 'RESULT', { bold: true });
      page.put(304, 'FLAG', { bold: true });
      page.put(376, 'UNITS', { bold: true });
      page.put(446, 'REFERENCE INTERVAL', { bold: true });
      page.put(560, 'LAB', { bold: true });
      page.y = 126;
      page.put(36, `Page ${page.pages}`, { size: 7, grey: true }, 764);
      page.put(576, `Date Created and Stored ${report.reported}   Final Report`, { size: 7, align: 'right', grey: true }, 764);
    });
    for (const panel of report.panels) {
      sheet.need(40);
      sheet.y += 5;
      sheet.put(36, panel.title, { bold: true });
      sheet.y += 13;
      for (const result of panel.results) {
        sheet.need(13 + result.comment.length * 11);
        const isOut = result.flag !== '';
        sheet.put(44, result.name);
        sheet.put(236, result.value, { bold: isOut });
        sheet.put(304, result.flag, { bold: isOut });
        sheet.put(376, result.unit);
        sheet.put(446, result.range);
        sheet.put(562, '01', { size: 8 });
        sheet.y += 13;
        for (const line of result.comment) {
          sheet.put(120, line, { size: 8.5 });
          sheet.y += 11;
        }
      }
    }
    sheet.need(50);
    sheet.y += 12;
    sheet.put(36, `01   BN   ${lab.name}`, { size: 8 });
    sheet.put(400, `Dir: ${lab.director}`, { size: 8 });
    sheet.put(64, `${lab.street}, ${lab.city}`, { size: 8 }, sheet.y + 11);
    sheet.put(36, `For inquiries, the physician may contact the laboratory at ${lab.phone}.`, { size: 8 }, sheet.y + 26);
    return sheet;
  },
};
