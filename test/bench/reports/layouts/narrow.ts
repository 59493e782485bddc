// A narrow column of names, which wrap; right-aligned values, footnote marks, a status, a table over several pages.
import { flags, patients, plainStyle, ranges } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

export const narrow: Layout = {
  name: 'narrow',
  style: () => ({ ...plainStyle, ...ranges.dash, flags: flags.letters, patient: patients.lastFirst }),
  panels: () => ['metabolic', 'differential', 'lipids', 'thyroid', 'hormones', 'vitamins'],
  print(report, random) {
    const { lab } = report;
    const sheet = new Sheet(
      'serif',
      (page) => {
        page.put(48, lab.name, { bold: true, size: 13 });
        page.put(48, 'Final Laboratory Report', { size: 10 }, 54);
        page.put(330, `Patient Name: ${report.patient}`, { size: 9.5 }, 36);
        page.put(330, `Date of Birth: ${report.dob}  Sex: ${report.gender}`, { size: 9.5 }, 48);
        page.put(330, `Specimen #: ${report.specimen}`, { size: 9.5 }, 60);
        page.put(48, `Date Collected: ${report.collected}`, { size: 9.5 }, 74);
        page.put(330, `Date Reported: ${report.reported}`, { size: 9.5 }, 74);
        page.rule(48, 564, 88);
        page.put(48, 'Test Name', { bold: true, size: 9.5 }, 93);
        page.put(230, 'Result', { bold: true, size: 9.5, align: 'right' }, 93);
        page.put(246, 'Flag', { bold: true, size: 9.5 }, 93);
        page.put(290, 'Reference Range', { bold: true, size: 9.5 }, 93);
        page.put(392, 'Units', { bold: true, size: 9.5 }, 93);
        page.put(500, 'Status', { bold: true, size: 9.5 }, 93);
        page.rule(48, 564, 106);
        page.y = 112;
        page.put(564, `Page ${page.pages}`, { size: 8, align: 'right' }, 762);
      },
      80,
    );
    for (const panel of report.panels) {
      sheet.need(60);
      sheet.put(48, panel.title, { bold: true, size: 10 });
      sheet.y += 15;
      for (const result of panel.results) {
        const lines = sheet.wrap(result.name, 118, { size: 9.5 });
        sheet.need(lines.length * 11 + 3);
        lines.forEach((line, index) => sheet.put(56, line, { size: 9.5 }, sheet.y + index * 11));
        const end = sheet.put(230, result.value, { size: 9.5, align: 'right', bold: result.flag !== '' });
        if (random.chance(0.05)) sheet.put(end + 3, '1', { size: 6 }, sheet.y - 1);
        sheet.put(248, result.flag, { size: 9.5, bold: true });
        sheet.put(290, result.range, { size: 9.5 });
        sheet.put(392, result.unit, { size: 9.5 });
        sheet.put(500, 'Final', { size: 9.5 });
        sheet.y += lines.length * 11 + 3;
      }
      sheet.y += 6;
    }
    sheet.need(20);
    sheet.put(48, '1  Result verified by repeat analysis.', { size: 8 });
    return sheet;
  },
};
