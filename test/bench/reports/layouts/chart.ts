// A hospital's chart: a table with rules, units after value and range.
import { dates, flags, patients, plainStyle, ranges, times } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

const join = (text: string, unit: string) => (text === '' || unit === '' ? text : `${text} ${unit}`);

export const chart: Layout = {
  name: 'chart',
  style: () => ({
    ...plainStyle,
    ...ranges.spaced,
    flags: flags.letters,
    date: dates.words,
    time: times.halves,
    patient: patients.firstLast,
  }),
  panels: (random) => random.some(['metabolic', 'bloodCount', 'coagulation', 'liver', 'hormones'], 2),
  print(report) {
    const { lab } = report;
    const sheet = new Sheet('sans', (page) => {
      page.put(306, lab.name, { bold: true, size: 13, align: 'center' });
      page.put(306, `${lab.street} ${lab.city}`, { size: 8, align: 'center', grey: true }, 53);
      page.put(44, 'Patient Name', { size: 8, grey: true }, 74);
      page.put(44, report.patient, { bold: true, size: 10 }, 84);
      page.put(210, 'Date of Birth', { size: 8, grey: true }, 74);
      page.put(210, report.dob, { size: 10 }, 84);
      page.put(330, 'Sex', { size: 8, grey: true }, 74);
      page.put(330, report.gender, { size: 10 }, 84);
      page.put(430, 'Accession Number', { size: 8, grey: true }, 74);
      page.put(430, report.specimen, { size: 10 }, 84);
      page.put(44, `Collected: ${report.collected}`, {}, 104);
      page.put(330, `Reported: ${report.reported}`, {}, 104);
      page.y = 124;
      page.put(568, `Page ${page.pages}`, { size: 7, align: 'right' }, 768);
    });
    const columns = [44, 236, 340, 470, 568] as const;
    const head = (title: string) => {
      sheet.put(44, title, { bold: true, size: 11 });
      sheet.y += 17;
      sheet.box(44, sheet.y, 524, 16, '#e4e8ee');
      const titles = ['Component', 'Value', 'Reference Range', 'Flag'];
      titles.forEach((text, index) => sheet.put((columns[index] ?? 0) + 4, text, { bold: true }, sheet.y + 4));
      sheet.y += 16;
    };
    for (const panel of report.panels) {
      sheet.need(80);
      head(panel.title);
      for (const result of panel.results) {
        if (sheet.need(16)) head(panel.title);
        sheet.put(48, result.name, {}, sheet.y + 4);
        sheet.put(240, join(result.value, result.unit), { bold: result.flag !== '' }, sheet.y + 4);
        sheet.put(344, join(result.range, result.unit), {}, sheet.y + 4);
        sheet.put(474, result.flag, { bold: true }, sheet.y + 4);
        columns.slice(0, 4).forEach((x, index) => sheet.box(x, sheet.y, (columns[index + 1] ?? 0) - x, 16));
        sheet.y += 16;
      }
      sheet.y += 14;
    }
    sheet.need(20);
    sheet.put(44, `Ordering provider: ${report.physician}.  H = High, L = Low, HH, LL = Critical`, { size: 8 });
    return sheet;
  },
};
