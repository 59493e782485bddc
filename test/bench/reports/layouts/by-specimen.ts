// Grouped by specimen, the reference before the result; urine results in words.
import { flags, patients, plainStyle, ranges, times } from '../model/style.ts';
import type { Layout } from './layout.ts';
import { Sheet } from './sheet.ts';

export const bySpecimen: Layout = {
  name: 'by-specimen',
  style: () => ({ ...plainStyle, ...ranges.hyphen, flags: flags.words, patient: patients.lastFirst, time: times.halves }),
  panels: (random) => [
    random.pick(['metabolic', 'thyroid'] as const),
    random.pick(['bloodCount', 'glycemia'] as const),
    'urinalysis',
    'urineChemistry',
  ],
  print(report) {
    const { lab } = report;
    const sheet = new Sheet('serif', (page) => {
      page.put(306, lab.name.toUpperCase(), { bold: true, size: 14, align: 'center' });
      page.put(306, `${lab.street}, ${lab.city}   Tel ${lab.phone}`, { size: 9, align: 'center' }, 54);
      page.rule(40, 572, 68);
      page.put(40, 'Patient:', { bold: true, size: 10 }, 74);
      page.put(110, report.patient, { size: 10 }, 74);
      page.put(40, 'Birth Date:', { bold: true, size: 10 }, 88);
      page.put(110, report.dob, { size: 10 }, 88);
      page.put(40, 'Gender:', { bold: true, size: 10 }, 102);
      page.put(110, report.gender, { size: 10 }, 102);
      page.put(330, 'Specimen No:', { bold: true, size: 10 }, 74);
      page.put(420, report.specimen, { size: 10 }, 74);
      page.put(330, 'Collection Date:', { bold: true, size: 10 }, 88);
      page.put(420, report.collected, { size: 10 }, 88);
      page.put(330, 'Report Date:', { bold: true, size: 10 }, 102);
      page.put(420, report.reported, { size: 10 }, 102);
      page.rule(40, 572, 118);
      page.put(40, 'Analyte', { bold: true, size: 10 }, 124);
      page.put(226, 'Reference Interval', { bold: true, size: 10 }, 124);
      page.put(340, 'Units', { bold: true, size: 10 }, 124);
      page.put(424, 'Result', { bold: true, size: 10 }, 124);
      page.put(500, 'Abnormal', { bold: true, size: 10 }, 124);
      page.rule(40, 572, 138);
      page.y = 144;
      page.put(306, `${page.pages}`, { size: 8, align: 'center' }, 770);
    });
    let specimen = '';
    for (const panel of report.panels) {
      sheet.need(56);
      if (panel.specimen !== specimen) {
        specimen = panel.specimen;
        sheet.put(40, `Specimen: ${specimen}`, { bold: true, size: 10 });
        sheet.y += 15;
      }
      sheet.put(48, panel.title, { bold: true, size: 10 });
      sheet.y += 14;
      for (const result of panel.results) {
        sheet.need(14);
        sheet.put(56, result.name, { size: 10 });
        sheet.put(226, result.range, { size: 10 });
        sheet.put(340, result.unit, { size: 10 });
        sheet.put(424, result.value, { size: 10 });
        sheet.put(500, result.flag, { size: 10 });
        sheet.y += 14;
      }
      sheet.y += 6;
    }
    sheet.need(24);
    sheet.put(40, `*** End of report ***   Authorised by ${lab.director}`, { size: 8 });
    return sheet;
  },
};
