// The current result with its flag beside an earlier one, which does not belong to this report.
import { flags, patients, plainStyle, ranges } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

export const withPrevious: Layout = {
  name: 'with-previous',
  style: () => ({
    ...plainStyle,
    ...ranges.hyphen,
    flags: flags.words,
    patient: patients.lastFirst,
  }),
  panels: (random) => random.some(['metabolic', 'lipids', 'differential', 'hormones', 'vitamins'], 2),
  print(report, random) {
    const { lab } = report;
    const sheet = new Sheet('sans', (page) => {
      page.put(36, lab.name, { bold: true, size: 13 });
      page.put(36, report.patient, { bold: true, size: 12 }, 60);
      page.put(36, `Patient ID: P${report.specimen.slice(-5)}`, { size: 8.5 }, 78);
      page.put(36, `Date of Birth: ${report.dob}`, { size: 8.5 }, 90);
      page.put(36, `Sex: ${report.gender}`, { size: 8.5 }, 102);
      page.put(230, `Specimen ID: ${report.specimen}`, { size: 8.5 }, 78);
      page.put(230, `Ordering Physician: ${report.physician}`, { size: 8.5 }, 90);
      page.put(430, `Date Collected: ${report.collected}`, { size: 8.5 }, 78);
      page.put(430, `Date Received: ${report.received}`, { size: 8.5 }, 90);
      page.put(430, `Date Reported: ${report.reported}`, { size: 8.5 }, 102);
      page.y = 122;
      page.put(36, `Patient: ${report.patient}`, { size: 7, grey: true }, 758);
      page.put(576, `Page ${page.pages}`, { size: 7, align: 'right', grey: true }, 758);
    });
    const head = () => {
      sheet.put(36, 'Test', { bold: true, size: 8.5 });
      sheet.put(206, 'Current Result and Flag', { bold: true, size: 8.5 });
      sheet.put(330, 'Previous Result and Date', { bold: true, size: 8.5 });
      sheet.put(448, 'Units', { bold: true, size: 8.5 });
      sheet.put(504, 'Reference Interval', { bold: true, size: 8.5 });
      sheet.rule(36, 580, sheet.y + 12);
      sheet.y += 17;
    };
    for (const panel of report.panels) {
      sheet.need(70);
      sheet.put(36, panel.title, { bold: true, size: 11 });
      sheet.y += 16;
      head();
      for (const result of panel.results) {
        if (sheet.need(14)) head();
        sheet.put(36, result.name);
        sheet.put(206, result.value, { bold: result.flag !== '' });
        sheet.put(252, result.flag, { bold: true });
        if (random.chance(0.7) && /^[\d.]+$/.test(result.value)) {
          const decimals = result.value.split('.')[1]?.length ?? 0;
          sheet.put(330, (Number(result.value) * random.between(0.8, 1.2)).toFixed(decimals));
          sheet.put(380, '11/14/2024');
        }
        sheet.put(448, result.unit);
        sheet.put(504, result.range);
        sheet.y += 14;
      }
      sheet.y += 10;
    }
    sheet.need(20);
    sheet.put(36, 'Disclaimer: The Previous Result is listed for the convenience of the reader.', { size: 7.5 });
    return sheet;
  },
};
