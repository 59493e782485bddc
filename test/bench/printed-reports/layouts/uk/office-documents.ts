import { letters, span, spelled, units } from '../../report/style.ts';
import { OfficeDocument, type Cell } from '../fodt.ts';
import type { Layout } from '../layout.ts';

/** Occupational health: one table, result and unit apart, "Out of range" as a word. */
export const occupationalHealth: Layout = {
  id: 'uk-occupational-health',
  country: 'uk',
  engine: 'libreoffice',
  about: 'occupational health; columns Investigation, Result, Units, Ref. range, Comment; comment words instead of flags',
  style: {
    quantities: ['si', 'conventional'],
    unit: units({ micro: 'µ', power: 'superscript' }),
    range: (limits) => span(limits, ' – ', { below: '< ', above: '> ', atMost: '≤ ', atLeast: '≥ ' }),
    flag: letters('High', 'Low', { abnormal: 'Abnormal', inside: 'Normal' }),
    notMeasured: ['Sample clotted'],
  },
  print(report) {
    const document = new OfficeDocument();
    document.add(report.lab('Wealdstone Occupational Health Ltd'), 'Head').add('Laboratory Results', 'Title').add('');
    document
      .table({ widths: [4, 5, 4, 4.7], borders: 'none' }, [
        ['Employee:', { text: report.name('F L'), style: 'Bold' }, 'Date of birth:', report.dob('DD/MM/YYYY')],
        ['Sex:', report.sex('Male', 'Female'), 'Sample date:', report.collected('DD/MM/YYYY')],
        ['Employer ref:', report.note(`WOH/${report.random.digits(5)}`), 'Report date:', report.reported('DD/MM/YYYY')],
      ])
      .add('');
    const rows: Cell[][] = [['Investigation', 'Result', 'Units', 'Ref. range', 'Comment'].map((text) => ({ text, style: 'Bold' }))];
    for (const [title, panel] of [
      ['Haematology', 'countAbsolute'],
      ['Biochemistry', ['sodium', 'potassium', 'urea', 'creatinine', 'egfr', 'bilirubin', 'alp', 'alt', 'ggt', 'urate']],
      ['Lipids and diabetes', ['cholesterol', 'hdl', 'ldl', 'triglycerides', 'a1cIfcc']],
    ] as const) {
      rows.push([{ text: title, style: 'Bold' }]);
      for (const line of report.section(title, panel))
        rows.push([line.name, line.value, line.unit, line.range.text, { text: line.flag, style: line.side === 'inside' ? 'Cell' : 'Red' }]);
    }
    document.table({ widths: [5.6, 2.8, 3.3, 3.4, 2.6], borders: 'rows', heads: 1 }, rows);
    document.add('').add(report.note('BP 128/82 mmHg, BMI 26.4 kg/m², seen by occupational health nurse; recall 24 months.'), 'Italic');
    return document.write({ font: 'Carlito', size: 10, footer: 'Confidential – page #PAGE of #PAGES', accent: '#5b2a86' });
  },
};

/** A consultant's letter: results in running lines, `name value unit (range)`. */
export const consultantLetter: Layout = {
  id: 'uk-consultant-letter',
  country: 'uk',
  engine: 'libreoffice',
  about: 'letter of a consultant; results in lines of text: name, value and unit, range in brackets with words',
  style: {
    quantities: ['si', 'conventional'],
    nameVariant: 1,
    unit: units({ power: 'x10^' }),
    range: (limits) =>
      limits.low !== null && limits.high !== null ? `${limits.lowText} to ${limits.highText}` : span(limits, ' to ', spelled),
    flag: () => null,
    unitWithoutValue: false,
    notMeasured: ['not processed'],
  },
  print(report) {
    const document = new OfficeDocument();
    document
      .add(report.lab('St Aldhelm Private Hospital'), 'Head')
      .add(report.note('41 Belvedere Row, Bath ZZ1 9QQ. Secretary: 01632 960 312'), 'Small')
      .add('')
      .add(`Dictated ${report.note('4')}; typed ${report.date('D MONTH YYYY', 'reported')}`)
      .add('');
    document
      .add(`Re: ${report.name('TITLE F L')}, DOB ${report.dob('DD/MM/YYYY')}`, 'Bold')
      .add('')
      .add(`Dear ${report.patient.doctor},`)
      .add('');
    document.add(`I reviewed this patient in clinic. Blood tests taken on ${report.collected('D MONTH YYYY')} were as follows:`).add('');
    for (const [title, panel] of [
      ['Full blood count', 'count'],
      ['Renal and liver', ['sodium', 'potassium', 'urea', 'creatinine', 'bilirubin', 'alp', 'alt', 'albumin']],
      ['Endocrine', ['tsh', 'ft4', 'cortisol', 'pth', 'vitaminD']],
    ] as const) {
      document.add(title, 'Section');
      for (const line of report.section(title, panel)) {
        const unit = line.unit === null || line.notMeasured ? '' : ` ${line.unit}`;
        document.add(`${line.name}: ${line.value}${unit}${line.range.text === null ? '' : ` (normal range ${line.range.text})`}`);
      }
      document.add('');
    }
    document
      .add(report.note('I would be grateful if you could repeat these in 3 months. I have arranged a DEXA scan at 14:20 on the 9th.'))
      .add('')
      .add('Yours sincerely,')
      .add('')
      .add('Miss A Rookwood FRCP');
    return document.write({ font: 'Liberation Serif', size: 11 });
  },
};
