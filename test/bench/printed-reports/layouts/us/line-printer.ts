import { letters, span, units } from '../../report/style.ts';
import { centred, columns, paged, wrap } from '../text.ts';
import type { Layout } from '../layout.ts';

/** The green-screen system of a community hospital: everything in one typewriter face, the flag in a column before the range. */
export const hospitalText: Layout = {
  id: 'us-hospital-text',
  country: 'us',
  engine: 'enscript',
  about: 'hospital information system, typewriter face; columns Test, Result, Flag, Reference, Units; capitals; several pages',
  style: {
    nameVariant: 1,
    name: (text) => text.toUpperCase(),
    unit: units({ power: 'x10^', words: { '10*3/uL': 'K/mm3', '10*6/uL': 'M/mm3' } }),
    range: (limits) => span(limits, '-'),
    flag: letters('H', 'L', { criticalHigh: 'H*', criticalLow: 'L*', abnormal: 'A' }),
    notMeasured: ['HEMOLYZED', 'QNS', 'CANCELLED'],
  },
  print(report) {
    const widths = [30, -11, 6, 18, 16];
    const out: string[] = [];
    const sections: [string, Parameters<typeof report.section>[1]][] = [
      ['CHEMISTRY', 'metabolic'],
      [
        'HEMATOLOGY',
        [
          ...'wbc rbc hemoglobin hematocrit mcv mch mchc rdw platelets'.split(' '),
          ...'neutrophilsPercent lymphocytesPercent monocytesPercent eosinophilsPercent basophilsPercent'.split(' '),
        ],
      ],
      ['COAGULATION', ['pt', 'inr', 'aptt']],
      ['ENDOCRINOLOGY', ['tsh', 'ft4', 'a1c']],
    ];
    const collected = report.collected('MM/DD/YY HH:mm');
    for (const [title, panel] of sections) {
      out.push('', `--- ${title} ${'-'.repeat(66 - title.length)}`, '');
      for (const line of report.section(title, panel)) {
        const range = line.range.text === null ? '' : `(${line.range.text})`;
        out.push(columns(widths, [line.name, line.value, line.flag, range, line.unit]));
        if (line.analyte.key === 'tsh')
          out.push(
            ...wrap(report.note('THIRD GENERATION ASSAY. BIOTIN ABOVE 5 MG/DAY MAY INTERFERE FOR 8 HOURS.'), 60).map(
              (text) => `     ${text}`,
            ),
          );
      }
    }
    out.push('', centred('** END OF REPORT **', 78), report.note(`PRINTED BY: LABUSER27   DEVICE: LP04`));
    const name = report.name('LAST,FIRST');
    const head = [
      centred(report.lab('CEDAR HOLLOW COMMUNITY HOSPITAL'), 78),
      centred(report.note('1200 MILL RACE RD, CEDAR HOLLOW, MO 64999'), 78),
      '',
    ];
    const person = [
      `PATIENT: ${name.padEnd(26)} ACCT #: ${report.note(`V${report.random.digits(9)}`)}  LOC: 3NORTH`,
      `AGE/SX: ${report.age()}/${report.sex('M', 'F').padEnd(24)} DOB: ${report.dob('MM/DD/YYYY')}   ATTEND: ${report.patient.doctor.toUpperCase()}`,
      `COLL: ${collected}      RECD: ${report.received('MM/DD/YY HH:mm')}      RPTD: ${report.reported('MM/DD/YY HH:mm')}`,
      '',
    ];
    const title = columns(widths, ['TEST', 'RESULT', 'FLAG', 'REFERENCE', 'UNITS']);
    return `%%options -f Courier9.5 -M Letter --margins=40:40:40:40\n${paged(out, 50, (page, pages) => [...head, ...person, `${title}  PAGE ${page}/${pages}`])}`;
  },
};

/** Results of a government clinic: labels, specimen and site for every panel; units stand before ranges, the flag touches the value. */
export const governmentText: Layout = {
  id: 'us-government-text',
  country: 'us',
  engine: 'enscript',
  about: 'government clinic, typewriter face; flag behind the value; range in brackets with its unit between; specimen of each panel',
  style: {
    nameVariant: 2,
    name: (text) => text.toUpperCase(),
    unit: units({ power: 'star', words: { '10*3/uL': 'K/cmm', '10*6/uL': 'M/cmm' } }),
    range: (limits) => span(limits, ' - '),
    flag: letters('H', 'L', { criticalHigh: 'H*', criticalLow: 'L*', abnormal: '*' }),
    notMeasured: ['canc', 'comment'],
  },
  print(report) {
    const out: string[] = [`Reporting Lab: ${report.lab('PRAIRIE VIEW CLINIC LABORATORY')} [CLIA# 17D9999999]`];
    out.push(report.note('               77 COTTONWOOD ST, PRAIRIE VIEW, KS 67999'), '');
    const panels: [string, string, Parameters<typeof report.section>[1]][] = [
      ['SERUM', 'CH', 'basic'],
      ['BLOOD', 'HE', 'count'],
      ['SERUM', 'LIP', ['cholesterol', 'triglycerides', 'hdl', 'ldlCalc']],
    ];
    for (const [specimen, code, panel] of panels) {
      out.push(
        `Report Released Date/Time: ${report.reported('Mon DD, YYYY@HH:mm')}`,
        `Provider: ${report.patient.doctor.toUpperCase()}`,
        `  Specimen: ${specimen}.                ${report.note(`${code} 0217 ${report.random.digits(3)}`)}`,
        `    Specimen Collection Date: ${report.collected('Mon DD, YYYY@HH:mm')}`,
      );
      out.push('Test name                      Result units       Ref.   range       Site Code');
      for (const line of report.section(null, panel, { specimen })) {
        const value = `${line.value}${line.flag === null ? '' : ` ${line.flag}`}`;
        out.push(`${columns([25, -14, 12, 18], [line.name, value, line.unit, line.range.text]).padEnd(70)}[542]`);
      }
      out.push('='.repeat(72), '');
    }
    out.push('KEY: "L"=Abnormal low, "H"=Abnormal high, "*"=Critical value');
    const head = `${report.name('LAST,FIRST')}   ${report.note(`XXX-XX-${report.random.digits(4)}`)}   DOB: ${report.dob('MON DD,YYYY')}   SEX: ${report.sex('MALE', 'FEMALE')}`;
    return `%%options -f Courier10 -M Letter --margins=45:30:40:40\n${paged(out, 52, (page) => [head, `                                                         Page: ${page}`, ''])}`;
  },
};
