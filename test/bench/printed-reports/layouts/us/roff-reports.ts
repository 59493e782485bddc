import { letters, span, questionable, units } from '../../report/style.ts';
import type { Layout } from '../layout.ts';
import { roff, tbl } from '../roff.ts';

const page = (body: string, family = 'H') =>
  `.fam ${family}\n.ps 9.5\n.vs 12\n.ll 7.2i\n.po 0.7i\n.pl 11i\n.nr HM 0.6i\n.nh\n.ad l\n.sp 0.4i\n${body}\n`;

/** A reference laboratory of the nineties: boxed table, ruled columns, flags between asterisks. */
export const referenceBox: Layout = {
  id: 'us-reference-box',
  country: 'us',
  engine: 'groff',
  about: 'reference laboratory; boxed table; columns Procedure, Results, Units, Normal Values; asterisks around flags',
  style: {
    name: (text) => text.toUpperCase(),
    unit: units({ words: { '10*3/uL': 'x1000/uL', '10*6/uL': 'mil/uL' } }),
    range: (limits) => span(limits, ' - ', questionable),
    flag: letters('*H*', '*L*', { criticalHigh: '*HH*', criticalLow: '*LL*', abnormal: '*A*' }),
    notMeasured: ['TNP', 'SEE BELOW'],
  },
  print(report) {
    const lines = [
      ...report.section('CHEMISTRY', 'metabolic'),
      ...report.section('HEMATOLOGY', [
        'wbc',
        'rbc',
        'hemoglobin',
        'hematocrit',
        'platelets',
        'neutrophilsPercent',
        'lymphocytesPercent',
        'monocytesPercent',
        'eosinophilsPercent',
        'basophilsPercent',
      ]),
      ...report.section('IRON STUDIES', 'iron'),
      ...report.section('HORMONES', ['tsh', 't4', 'testosterone', 'psa']),
    ];
    let last: string | null = null;
    const rows = lines.flatMap((line) => {
      const head = line.section === last ? [] : ['_', [`\\fB${line.section}\\fP`, '', '', '', '']];
      last = line.section;
      return [...head, [roff(line.name), roff(line.value), roff(line.flag), roff(line.unit), roff(line.range.text)]];
    });
    return page(
      `.ce 2\n\\fB\\s14${roff(report.lab('STONEBRIDGE REFERENCE LABORATORIES'))}\\s0\\fP\n${roff(report.note('P.O. BOX 9900  STONEBRIDGE, UT 84999  (555) 010-9000'))}\n.sp\n${tbl(
        'allbox',
        ['l l l', 'l l l'],
        [
          [`PATIENT: ${roff(report.name('LAST, FIRST'))}`, `DOB: ${roff(report.dob('MM/DD/YYYY'))}`, `SEX: ${report.sex('M', 'F')}`],
          [
            `COLLECTED: ${roff(report.collected('MM/DD/YYYY HH:mm'))}`,
            `REPORTED: ${roff(report.reported('MM/DD/YYYY HH:mm'))}`,
            roff(report.note(`ACC ${report.random.digits(8)}`)),
          ],
        ],
      )}\n.sp\n${tbl('box expand', ['lB lB lB lB lB', 'l | n l | l | l'], [['PROCEDURE', 'RESULTS', '', 'UNITS', 'NORMAL VALUES'], ...rows])}\n.sp\n${roff(report.note('Interpretive data: ferritin below 15 ng/mL indicates iron deficiency in 98 percent of patients.'))}`,
    );
  },
};

/** A physician's office: titles at the left margin, results indented, ranges in parentheses at the right. */
export const officeLab: Layout = {
  id: 'us-office-lab',
  country: 'us',
  engine: 'groff',
  about: "physician's office; serif type; result and unit in one cell; range in parentheses; 'abnormal' as a word in italics",
  style: {
    nameVariant: 1,
    unit: units({ power: 'x10^' }),
    range: (limits) => span(limits, '-'),
    flag: letters('high', 'low', { abnormal: 'abnormal' }),
    unitWithoutValue: false,
    notMeasured: ['not done', 'clotted'],
  },
  print(report) {
    const block = (title: string, panel: Parameters<typeof report.section>[1]) =>
      `.sp 0.6\n\\fB${roff(title)}\\fP\n${tbl(
        '',
        ['lw(2.4i) lw(1.7i) lw(1.6i) lI'],
        report
          .section(title, panel)
          .map((line) => [
            `  ${roff(line.name)}`,
            roff(`${line.value}${line.unit === null || line.notMeasured ? '' : ` ${line.unit}`}`),
            roff(line.range.text === null ? '' : `(${line.range.text})`),
            roff(line.flag),
          ]),
      )}`;
    return page(
      `\\fB\\s13${roff(report.lab('Dogwood Family Physicians'))}\\s0\\fP\n.br\nIn\\-House Laboratory Report\n.sp\nPatient: ${roff(report.name('F L'))}\n.br\nBirthdate: ${roff(report.dob('M/D/YY'))}     Sex: ${report.sex('M', 'F')}     Visit: ${roff(report.date('M/D/YY'))}     ${roff(report.note(`Chart ${report.random.digits(5)}`))}\n.br
${block('CBC', 'count')}\n${block('Lipids', ['cholesterol', 'triglycerides', 'hdl', 'ldlCalc', 'vldl'])}\n${block('Diabetes', ['glucose', 'a1c'])}\n${block('Urine dipstick', ['urineColor', 'urineClarity', 'specificGravity', 'urinePh', 'urineGlucose', 'urineKetones', 'urineBlood', 'urineProtein', 'urineNitrite', 'urineEsterase'])}\n${block('Rapid tests', ['hiv', 'hcv'])}\n.sp\nTests done by: ${roff(report.note('JB, MLT, 2:15 PM'))}`,
      'T',
    );
  },
};

/** A clinic for infections: names of tests over two lines, results in words, titers. */
export const infectionPanel: Layout = {
  id: 'us-infection-panel',
  country: 'us',
  engine: 'groff',
  about: 'infections and immunology; results in words and titers; columns Test, Result, Flag, Reference; comments between rows',
  style: {
    unit: units({}),
    range: (limits) => span(limits, '-'),
    flag: letters('High', 'Low', { abnormal: 'Abnormal', inside: 'Normal' }),
    unitWithoutValue: false,
    notMeasured: ['Indeterminate - recollect', 'QNS'],
  },
  print(report) {
    let last: string | null = null;
    const rows = [
      ...report.section('INFECTIOUS DISEASE', ['hiv', 'hbsag', 'hcv', 'rpr', 'chlamydia', 'gonorrhea']),
      ...report.section('IMMUNOLOGY', ['ana', 'tpo', 'ige', 'crp']),
      ...report.section('COAGULATION', 'coagulation'),
    ].flatMap((line) => {
      const head = line.section === last ? [] : [[`\\fB${line.section}\\fP`, '', '', '']];
      last = line.section;
      const comment =
        line.analyte.key === 'rpr'
          ? [[`\\s7${roff(report.note('Titers of 1:1 to 1:8 may persist after treatment for 12 months.'))}\\s0`, '', '', '']]
          : [];
      const unit = line.unit === null || line.notMeasured ? '' : ` ${line.unit}`;
      return [...head, [roff(line.name), roff(`${line.value}${unit}`), roff(line.flag), roff(line.range.text)], ...comment];
    });
    return page(
      `.ce\n\\fB\\s15${roff(report.lab('Gulfstream Infectious Disease Lab'))}\\s0\\fP\n.sp\n.nf\nName  ${roff(report.name('LAST, FIRST'))}          DOB  ${roff(report.dob('DD-MON-YYYY'))}          Sex  ${report.sex('Male', 'Female')}\nCollection  ${roff(report.collected('DD-MON-YYYY HH:mm'))}          Final report  ${roff(report.reported('DD-MON-YYYY HH:mm'))}\n${roff(report.note(`Accession  GS-${report.random.digits(6)}`))}\n.fi\n.sp\n${tbl('expand', ['lB lB lB lB', 'l l l l'], [['Test', 'Result', 'Flag', 'Reference'], '=', ...rows, '_'])}\n.sp\nAll tests performed by the laboratory above.`,
    );
  },
};
