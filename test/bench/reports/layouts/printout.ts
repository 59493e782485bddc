// A line printer's report: fixed width, flag beside the value, range in parentheses, notes below results.
import { flags, patients, plainStyle, ranges, times } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

const column = 5.4;

export const printout: Layout = {
  name: 'printout',
  style: () => ({
    ...plainStyle,
    ...ranges.parentheses,
    isUpper: true,
    flags: flags.letters,
    time: times.day,
    patient: patients.lastFirstUpper,
    gender: { male: 'M', female: 'F' },
  }),
  panels: (random) => random.some(['metabolic', 'differential', 'lipids', 'glycemia', 'coagulation', 'urinalysis', 'vitamins'], 4),
  print(report) {
    const { lab } = report;
    const at = (characters: number) => 36 + characters * column;
    const sheet = new Sheet('mono', (page) => {
      page.put(306, lab.name.toUpperCase(), { size: 9, align: 'center' });
      page.put(306, `${lab.street}  ${lab.city}`.toUpperCase(), { align: 'center' }, 47);
      page.put(at(0), '='.repeat(98), {}, 60);
      page.put(at(0), `PATIENT: ${report.patient}`, {}, 72);
      page.put(at(48), `ACCESSION #: ${report.specimen}`, {}, 72);
      page.put(at(0), `DOB: ${report.dob}    AGE: ${report.age}Y    SEX: ${report.gender}`, {}, 84);
      page.put(at(48), `COLLECTED: ${report.collected}`, {}, 84);
      page.put(at(0), `ORDERED BY: ${report.physician.toUpperCase()}`, {}, 96);
      page.put(at(48), `REPORTED:  ${report.reported}`, {}, 96);
      page.put(at(0), '-'.repeat(98), {}, 108);
      page.put(at(0), 'TEST', {}, 120);
      page.put(at(38), 'RESULT', {}, 120);
      page.put(at(49), 'FLAG', {}, 120);
      page.put(at(56), 'REFERENCE', {}, 120);
      page.put(at(76), 'UNITS', {}, 120);
      page.put(at(0), '-'.repeat(98), {}, 132);
      page.y = 146;
      page.put(at(0), `PAGE ${page.pages}`, {}, 752);
    });
    for (const panel of report.panels) {
      sheet.need(40);
      sheet.put(at(0), `*** ${panel.title} ***`);
      sheet.y += 14;
      for (const result of panel.results) {
        if (sheet.need(12 + result.comment.length * 12)) {
          sheet.put(at(0), `*** ${panel.title} *** (CONTINUED)`);
          sheet.y += 14;
        }
        sheet.put(at(1), result.name);
        sheet.put(at(38), result.value);
        sheet.put(at(49), result.flag);
        sheet.put(at(56), result.range.startsWith('(') || result.range === '' ? result.range : `(${result.range})`);
        sheet.put(at(76), result.unit);
        sheet.y += 12;
        for (const line of result.comment) {
          sheet.put(at(4), `NOTE: ${line}`);
          sheet.y += 12;
        }
      }
      sheet.y += 8;
    }
    sheet.need(24);
    sheet.put(at(0), '*** FINAL REPORT ***');
    return sheet;
  },
};
