import { span, units } from '../../report/style.ts';
import { columns } from '../text.ts';
import type { Layout } from '../layout.ts';

/** A laboratory around the corner with a dot matrix printer: ranges of both sexes on one line, sections underlined. */
export const dotMatrix: Layout = {
  id: 'in-dot-matrix',
  country: 'in',
  engine: 'enscript',
  about: 'laboratory of a small town, typewriter face; test with dots and colon; ranges of both sexes; no flags',
  style: {
    quantities: ['india', 'conventional'],
    nameVariant: 1,
    unit: units({ words: { '10*6/uL': 'million/cumm', '/cumm': 'cells/cumm' } }),
    range: (limits, sexes) =>
      sexes === null
        ? span(limits, ' - ', { below: 'Below ', above: 'Above ', atMost: 'Upto ', atLeast: 'Above ' })
        : `M: ${span(sexes.male, '-', { below: '<', above: '>', atMost: 'Upto ', atLeast: '>' })} F: ${span(sexes.female, '-', { below: '<', above: '>', atMost: 'Upto ', atLeast: '>' })}`,
    flag: () => null,
    notMeasured: ['Not done'],
  },
  print(report) {
    const out: string[] = [];
    out.push(
      `          ${report.lab('SHREE GANPATHI CLINICAL LABORATORY')}`,
      `          ${report.note('Opp. Old Bus Stand, Main Road, Karimpet - 505999. Ph: 98490 00000')}`,
      '='.repeat(80),
      `Patient Name : ${report.name('TITLE FIRST LAST').padEnd(28)} Age/Sex : ${report.age()} Yrs / ${report.sex('Male', 'Female')}`,
      `Referred by  : ${report.patient.doctor.padEnd(28)} Date    : ${report.date('DD-MM-YYYY')}`,
      report.note(`Sl. No.      : ${report.random.digits(4)}`),
      '='.repeat(80),
      columns([26, 17, 13, 24], ['TEST', 'RESULT', 'UNITS', 'NORMAL RANGE']),
      '-'.repeat(80),
    );
    const add = (title: string, panel: Parameters<typeof report.section>[1]) => {
      out.push('', `          ${title}`, `          ${'~'.repeat(title.length)}`);
      for (const line of report.section(title, panel))
        out.push(columns([26, 17, 13, 24], [line.name, `: ${line.value}`, line.unit, line.range.text]));
    };
    add('HAEMATOLOGY', [
      'hemoglobin',
      'wbc',
      'neutrophilsPercent',
      'lymphocytesPercent',
      'eosinophilsPercent',
      'monocytesPercent',
      'basophilsPercent',
      'rbc',
      'platelets',
      'esr',
    ]);
    add('BIOCHEMISTRY', ['glucose', 'urea', 'creatinine', 'urate', 'cholesterol', 'triglycerides', 'hdl']);
    add('SEROLOGY', ['malaria', 'dengue', 'rf', 'hbsag']);
    out.push(
      '',
      '-'.repeat(80),
      '',
      '                                                       LAB INCHARGE',
      '             *** Please correlate clinically ***',
    );
    return `%%options -f Courier10 -M A4 --margins=50:30:40:40\n${out.join('\n')}`;
  },
};
