// A clinic's summary: two tables side by side, short names.
import { flags, patients, plainStyle, ranges } from '../model/style.ts';
import type { PrintedPanel } from '../model/draw-report.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

function table(sheet: Sheet, panel: PrintedPanel, left: number, top: number): number {
  sheet.put(left, panel.title, { bold: true, size: 9.5 }, top);
  const titles: readonly [number, string][] = [
    [0, 'Test'],
    [104, 'Result'],
    [150, 'Flag'],
    [174, 'Range'],
    [222, 'Units'],
  ];
  for (const [at, title] of titles) sheet.put(left + at, title, { bold: true, size: 7.5 }, top + 14);
  sheet.rule(left, left + 260, top + 24);
  let y = top + 28;
  for (const result of panel.results) {
    const size = 8;
    const lines = sheet.wrap(result.name, 100, { size });
    lines.forEach((line, index) => sheet.put(left, line, { size }, y + index * 9));
    sheet.put(left + 104, result.value, { size, bold: result.flag !== '' }, y);
    sheet.put(left + 150, result.flag, { size, bold: true }, y);
    sheet.put(left + 174, result.range, { size }, y);
    sheet.put(left + 222, result.unit, { size }, y);
    y += 4 + lines.length * 9;
  }
  return y;
}

export const twoColumn: Layout = {
  name: 'two-column',
  style: () => ({ ...plainStyle, ...ranges.hyphen, flags: flags.letters, patient: patients.lastFirst, gender: { male: 'M', female: 'F' } }),
  panels: (random) => [
    random.pick(['metabolic', 'liver'] as const),
    'bloodCount',
    'coagulation',
    random.pick(['infections', 'immunology'] as const),
  ],
  print(report) {
    const { lab } = report;
    const sheet = new Sheet('sans', (page) => {
      page.put(32, lab.name, { bold: true, size: 13 });
      page.put(580, 'LABORATORY REPORT', { bold: true, size: 11, align: 'right' });
      page.put(32, `Name: ${report.patient}`, {}, 58);
      page.put(220, `DOB: ${report.dob}`, {}, 58);
      page.put(340, `Sex: ${report.gender}`, {}, 58);
      page.put(430, `Accession: ${report.specimen}`, {}, 58);
      page.put(32, `Collected: ${report.collected}`, {}, 72);
      page.put(220, `Received: ${report.received}`, {}, 72);
      page.put(430, `Reported: ${report.reported}`, {}, 72);
      page.rule(32, 580, 86);
      page.y = 96;
    });
    const bottoms = [sheet.y, sheet.y];
    report.panels.forEach((panel, index) => {
      const side = index % 2;
      bottoms[side] = table(sheet, panel, side === 0 ? 32 : 322, bottoms[side] ?? 0) + 16;
    });
    sheet.put(32, `Reviewed by ${lab.director}`, { size: 7.5, grey: true }, 760);
    return sheet;
  },
};
