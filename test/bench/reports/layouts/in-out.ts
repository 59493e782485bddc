// Two result columns, inside and outside of the range; the unit follows the range.
import { flags, patients, plainStyle, ranges, times } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

export const inOut: Layout = {
  name: 'in-out',
  style: () => ({
    ...plainStyle,
    ...ranges.hyphenOrEqual,
    isUpper: true,
    flags: flags.letters,
    patient: patients.lastFirst,
    time: times.day,
    gender: { male: 'M', female: 'F' },
  }),
  panels: (random) => random.some(['lipids', 'metabolic', 'bloodCount', 'thyroid', 'immunology', 'urineChemistry'], 3),
  print(report) {
    const { lab } = report;
    const sheet = new Sheet('sans', (page) => {
      page.put(36, lab.name, { bold: true, size: 15 });
      page.put(36, `${lab.street}, ${lab.city}`, { size: 8 }, 54);
      page.box(36, 68, 176, 62);
      page.put(42, 'PATIENT INFORMATION', { bold: true, size: 8 }, 72);
      page.put(42, report.patient, { bold: true }, 84);
      page.put(42, `DOB: ${report.dob}   AGE: ${report.age}`, { size: 8 }, 98);
      page.put(42, `GENDER: ${report.gender}`, { size: 8 }, 110);
      page.box(218, 68, 176, 62);
      page.put(224, 'SPECIMEN INFORMATION', { bold: true, size: 8 }, 72);
      page.put(224, `SPECIMEN: ${report.specimen}`, { size: 8 }, 86);
      page.put(224, `COLLECTED: ${report.collected}`, { size: 8 }, 98);
      page.put(224, `RECEIVED: ${report.received}`, { size: 8 }, 108);
      page.put(224, `REPORTED: ${report.reported}`, { size: 8 }, 118);
      page.box(400, 68, 176, 62);
      page.put(406, 'CLIENT INFORMATION', { bold: true, size: 8 }, 72);
      page.put(406, report.physician, { size: 8 }, 86);
      page.put(406, 'Family Practice', { size: 8 }, 98);
      page.put(36, 'Test Name', { bold: true }, 142);
      page.put(244, 'In Range', { bold: true }, 142);
      page.put(312, 'Out Of Range', { bold: true }, 142);
      page.put(400, 'Reference Range', { bold: true }, 142);
      page.put(552, 'Lab', { bold: true }, 142);
      page.rule(36, 576, 154);
      page.y = 160;
      page.put(576, `PAGE ${page.pages}`, { size: 7, align: 'right' }, 766);
    });
    for (const panel of report.panels) {
      sheet.need(36);
      sheet.put(36, panel.title, { bold: true });
      sheet.y += 13;
      for (const result of panel.results) {
        sheet.need(13);
        sheet.put(50, result.name);
        if (result.flag === '') sheet.put(250, result.value);
        else {
          const end = sheet.put(318, result.value, { bold: true });
          sheet.put(end + 6, result.flag, { bold: true });
        }
        sheet.put(400, [result.range, result.unit].filter(Boolean).join(' '));
        sheet.put(554, 'TP');
        sheet.y += 13;
      }
      sheet.y += 5;
    }
    sheet.need(40);
    sheet.put(36, 'PERFORMING SITE:', { bold: true, size: 8 });
    sheet.put(
      36,
      `TP   ${lab.name.toUpperCase()}, ${lab.street}, ${lab.city}  Laboratory Director: ${lab.director}`,
      { size: 7 },
      sheet.y + 11,
    );
    return sheet;
  },
};
