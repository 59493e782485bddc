import { letters, span, units } from '../../report/style.ts';
import type { Layout } from '../layout.ts';
import { roff, tbl } from '../roff.ts';

const start = '.fam H\n.ps 9.5\n.vs 12.5\n.ll 7.1i\n.po 0.7i\n.nh\n.ad l\n.sp 0.4i\n';

/** A mission hospital: sections underlined, results in the middle, the range of the patient's sex with its word. */
export const missionHospital: Layout = {
  id: 'in-mission-hospital',
  country: 'in',
  engine: 'groff',
  about: 'mission hospital; sections underlined; columns Investigation, Result, Reference Values with units inside them',
  style: {
    quantities: ['india', 'conventional'],
    unit: units({ words: { '10*6/uL': 'mill/cumm' } }),
    range: (limits) => span(limits, '-', { below: '<', above: '>', atMost: 'Upto ', atLeast: '>' }),
    flag: () => null,
    notMeasured: ['Not possible', 'Insufficient'],
  },
  print(report) {
    const block = (title: string, panel: Parameters<typeof report.section>[1]) =>
      `.sp 0.6\n.ce\n\\fB${roff(title)}\\fP\n${tbl(
        '',
        ['lw(2.7i) lw(1.9i) lw(2.3i)'],
        report
          .section(title, panel)
          .map((line) => [
            roff(line.name),
            roff(`${line.value}${line.unit === null || line.notMeasured ? '' : ` ${line.unit}`}`),
            roff(`${line.range.text ?? ''}${line.unit === null ? '' : ` ${line.unit}`}`),
          ]),
      )}`;
    return `${start}.ce 2\n\\fB\\s14${roff(report.lab('ST. THERESA MISSION HOSPITAL'))}\\s0\\fP\n${roff(report.note('Laboratory Services, Hill Road, Kottapuram 686999'))}\n.sp\n${tbl('expand', ['l l'], [[`Name: ${roff(report.name('F L'))}`, `Date: ${roff(report.date('DD.MM.YYYY'))}`], [`Age/Sex: ${report.age()}/${report.sex('M', 'F')}`, roff(report.note(`OP No: ${report.random.digits(6)}`))], '_', ['Investigation', 'Result                    Reference Values'], '_'])}
${block('HAEMATOLOGY', ['hemoglobin', 'wbc', 'neutrophilsPercent', 'lymphocytesPercent', 'eosinophilsPercent', 'monocytesPercent', 'basophilsPercent', 'platelets', 'hematocrit', 'esr'])}\n${block('BIOCHEMISTRY', ['glucose', 'urea', 'creatinine', 'sodium', 'potassium', 'chloride', 'cholesterol'])}\n${block('LIVER FUNCTION TEST', 'liverIndia')}\n.sp\nLab Technologist: Sr. Philomina        ${roff(report.note('Printed at 16:42'))}\n`;
  },
};

/** Urine and serology of a government hospital: words and counts, "Normal" in a third column. */
export const governmentHospital: Layout = {
  id: 'in-government-hospital',
  country: 'in',
  engine: 'groff',
  about: 'government hospital; urine, serology, blood count; boxed; columns Test Name, Result, Status, Normal Range',
  style: {
    quantities: ['india', 'conventional'],
    nameVariant: 1,
    unit: units({ words: { '/cumm': '/mm3' } }),
    range: (limits) => span(limits, ' to ', { below: '<', above: '>', atMost: 'up to ', atLeast: '>' }),
    flag: letters('HIGH', 'LOW', { abnormal: 'ABNORMAL', inside: 'NORMAL' }),
    unitWithoutValue: false,
    notMeasured: ['NOT TESTED'],
  },
  print(report) {
    const block = (title: string, panel: Parameters<typeof report.section>[1]) => [
      [`\\fB${title}\\fP`, '', '', ''],
      ...report
        .section(title, panel)
        .map((line) => [
          roff(line.name),
          roff(`${line.value}${line.unit === null || line.notMeasured ? '' : ` ${line.unit}`}`),
          roff(line.flag),
          roff(line.range.text),
        ]),
    ];
    return `${start}.ce\n\\fB${roff(report.lab('DISTRICT GOVERNMENT HOSPITAL, RAMPURA'))}\\fP\n.ce\n${roff(report.note('Reg. No. DGH/LAB/2024/9981'))}\n.sp\n.nf\nName: ${roff(report.name('FIRST LAST'))}      Age: ${report.age()} Yrs      Sex: ${report.sex('Male', 'Female')}\nDate: ${roff(report.date('DD/MM/YYYY'))}      Referred by: ${roff(report.patient.doctor)}\n.fi\n.sp\n${tbl('allbox expand', ['lB lB lB lB', 'l l l l'], [['Test Name', 'Result', 'Status', 'Normal Range'], ...block('BLOOD COUNT', ['hemoglobin', 'wbc', 'platelets', 'rbc']), ...block('URINE EXAMINATION', 'urinalysis'), ...block('SEROLOGY', ['malaria', 'dengue', 'hiv', 'hbsag', 'hcv', 'rf'])])}\n.sp\nMedical Officer\n`;
  },
};
