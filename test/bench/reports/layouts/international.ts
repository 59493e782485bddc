// Substance concentrations and bracketed ranges; day, month and year in an unambiguous order.
import { dates, flags, patients, plainStyle, ranges } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

export const international: Layout = {
  name: 'international',
  style: (random) => ({
    ...plainStyle,
    ...(random.chance(0.5) ? ranges.brackets : ranges.words),
    isMolar: true,
    micro: random.chance(0.5) ? 'µ' : 'u',
    flags: flags.letters,
    date: random.chance(0.5) ? dates.iso : dates.dayMonth,
    patient: patients.firstLast,
  }),
  panels: (random) => random.some(['metabolic', 'lipids', 'bloodCount', 'thyroid', 'hormones', 'vitamins'], 3),
  print(report) {
    const { lab } = report;
    const sheet = new Sheet('sans', (page) => {
      page.put(50, lab.name, { bold: true, size: 12 });
      page.put(50, lab.street, { size: 8 }, 51);
      page.put(50, lab.city, { size: 8 }, 61);
      page.put(330, `Patient: ${report.patient}`, { size: 10 }, 36);
      page.put(330, `Date of birth: ${report.dob}`, { size: 10 }, 49);
      page.put(330, `Sex: ${report.gender}`, { size: 10 }, 62);
      page.put(330, `Sample no.: ${report.specimen}`, { size: 10 }, 75);
      page.put(50, `Date collected: ${report.collected}`, { size: 10 }, 92);
      page.put(330, `Date reported: ${report.reported}`, { size: 10 }, 92);
      page.rule(50, 562, 108);
      page.put(50, 'Investigation', { bold: true, size: 10 }, 114);
      page.put(300, 'Result', { bold: true, size: 10, align: 'right' }, 114);
      page.put(312, 'Flag', { bold: true, size: 10 }, 114);
      page.put(350, 'Unit', { bold: true, size: 10 }, 114);
      page.put(440, 'Reference Range', { bold: true, size: 10 }, 114);
      page.rule(50, 562, 128);
      page.y = 136;
    });
    for (const panel of report.panels) {
      sheet.need(50);
      sheet.put(50, panel.title, { bold: true, size: 10 });
      sheet.y += 15;
      for (const result of panel.results) {
        sheet.need(15);
        sheet.put(50, result.name, { size: 10 });
        sheet.put(300, result.value, { size: 10, align: 'right' });
        sheet.put(314, result.flag, { size: 10, bold: true });
        sheet.put(350, result.unit, { size: 10 });
        sheet.put(440, result.range, { size: 10 });
        sheet.y += 15;
      }
      sheet.y += 8;
    }
    sheet.need(30);
    sheet.put(50, `Validated by ${lab.director}. Results relate only to the sample received.`, { size: 8 });
    return sheet;
  },
};
