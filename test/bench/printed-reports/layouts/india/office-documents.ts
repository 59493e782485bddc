import { letters, span, thousands, thousandsOf, units, type Signs } from '../../report/style.ts';
import { OfficeDocument, type Cell } from '../fodt.ts';
import type { Layout } from '../layout.ts';

const upto: Signs = { below: 'Less than ', above: 'More than ', atMost: 'Upto ', atLeast: 'More than ' };

/** A laboratory that fills in a word processor's form: a grid without units of its own, units behind the range. */
export const wordProcessorLab: Layout = {
  id: 'in-word-processor',
  country: 'in',
  engine: 'libreoffice',
  about:
    'laboratory with a word processor; grid; columns Investigation, Observed Value, Unit, Biological Reference Interval; sexes in one cell',
  style: {
    quantities: ['india', 'conventional'],
    unit: units({ power: 'x10^', words: { '10*6/uL': 'millions/cumm', '/cumm': '/cu.mm' } }),
    range: (limits, sexes) =>
      sexes === null ? span(limits, ' - ', upto) : `Male : ${span(sexes.male, ' - ', upto)}\nFemale : ${span(sexes.female, ' - ', upto)}`,
    flag: () => null,
    emphasis: 'bold',
    notMeasured: ['Not done', 'Sample lysed'],
  },
  print(report) {
    const document = new OfficeDocument();
    document
      .add(report.lab('SANJEEVANI DIAGNOSTIC CENTRE'), 'Title')
      .add(report.note('Shop No. 12, Shanti Complex, Near Railway Station, Nagarpur - 440999 | Mob: 90000 00000'), 'Centre')
      .add('');
    document.table({ widths: [9, 8.7], borders: 'all' }, [
      [`Patient Name : ${report.name('TITLE FIRST LAST')}`, `Date : ${report.date('DD/MM/YYYY')}`],
      [`Age : ${report.age()} Years     Sex : ${report.sex('Male', 'Female')}`, report.note(`Reg. No : ${report.random.digits(4)}/24`)],
      [`Ref. By : ${report.patient.doctor}`, 'Sample : Blood'],
    ]);
    for (const [title, panel] of [
      ['COMPLETE HAEMOGRAM', 'countIndia'],
      ['RENAL FUNCTION TEST', ['urea', 'creatinine', 'urate', 'sodium', 'potassium']],
      ['BLOOD SUGAR', ['glucose', 'a1c']],
      ['SEROLOGY', ['hiv', 'hbsag', 'rpr', 'dengue']],
    ] as const) {
      document.add('').add(title, 'CentreBold');
      const rows: Cell[][] = [
        ['Investigation', 'Observed Value', 'Unit', 'Biological Reference Interval'].map((text) => ({ text, style: 'Bold' })),
      ];
      for (const line of report.section(title, panel))
        rows.push([line.name, { text: line.value, style: line.emphasis === null ? 'Cell' : 'Bold' }, line.unit, line.range.text]);
      document.table({ widths: [6.3, 3.2, 3.1, 5.1], heads: 1 }, rows);
    }
    document
      .add('')
      .add('--- End of Report ---', 'Centre')
      .add('')
      .add('Lab Technician                                                                 Pathologist');
    return document.write({ font: 'Liberation Sans', size: 10, footer: 'Page #PAGE of #PAGES' });
  },
};

/** A diagnostic centre with machines named, thousands separators and arrows in words. */
export const diagnosticCentre: Layout = {
  id: 'in-diagnostic-centre',
  country: 'in',
  engine: 'libreoffice',
  about: 'diagnostic centre; columns Parameter, Value, Flag, Unit, Ref. Range, Method; counts with thousands separators',
  style: {
    quantities: ['india', 'conventional'],
    nameVariant: 1,
    unit: units({ micro: 'µ', power: 'superscript', words: { '/cumm': 'cells/cu.mm' } }),
    value: thousands,
    range: (limits) => span(thousandsOf(limits), ' - ', { below: '< ', above: '> ', atMost: '<= ', atLeast: '>= ' }),
    flag: letters('High', 'Low', { abnormal: 'Abnormal' }),
    notMeasured: ['Repeat sample required'],
  },
  print(report) {
    const document = new OfficeDocument();
    document
      .add(report.lab('Meru Imaging & Diagnostics'), 'Head')
      .add(report.note('ISO 15189:2022 | NABL MC-99999 | 24x7 Helpline 1800-000-9999'), 'Small')
      .add('');
    document.table({ widths: [3, 6, 3.2, 5.8], borders: 'none' }, [
      ['Patient', { text: report.name('TITLE F L'), style: 'Bold' }, 'UHID', report.note(`MID${report.random.digits(7)}`)],
      ['Age / Gender', `${report.age()} Years / ${report.sex('Male', 'Female')}`, 'Registered', report.date('DD-Mon-YYYY hh:mm A')],
      ['Ref Doctor', report.patient.doctor, 'Reported', report.reported('DD-Mon-YYYY hh:mm A')],
    ]);
    for (const [title, panel] of [
      [
        'Complete Blood Picture (EDTA Whole Blood)',
        [
          'hemoglobin',
          'hematocrit',
          'rbc',
          'mcv',
          'mch',
          'mchc',
          'wbc',
          'platelets',
          'neutrophilsPercent',
          'lymphocytesPercent',
          'eosinophilsPercent',
          'monocytesPercent',
          'basophilsPercent',
          'neutrophils',
          'lymphocytes',
          'eosinophils',
          'monocytes',
          'esr',
        ],
      ],
      ['Thyroid Profile (Serum)', ['ft3', 'ft4', 'tsh']],
      ['Lipid Profile (Serum)', 'lipidIndia'],
    ] as const) {
      document.add('').add(title, 'Head');
      document.table({ widths: [5.4, 2.4, 1.7, 2.4, 3, 3.1], borders: 'rows', heads: 1 }, [
        ['Parameter', 'Value', 'Flag', 'Unit', 'Ref. Range', 'Method'].map((text) => ({ text, style: 'Bold' })),
        ...report
          .section(title, panel)
          .map((line) => [
            line.name,
            { text: line.value, style: line.flag === null ? 'Cell' : 'Red' },
            { text: line.flag, style: 'Red' },
            line.unit,
            line.range.text,
            { text: line.analyte.method, style: 'Small' },
          ]),
      ]);
    }
    document
      .add('')
      .add(
        report.note('Interpretation: TSH 4.5 - 10 uIU/mL with normal FT4: subclinical hypothyroidism; repeat after 6 - 8 weeks.'),
        'Small',
      )
      .add('')
      .add('Dr. Sheela Raghupathy, MD Biochemistry (Reg. No. KMC 99999)', 'Bold');
    return document.write({ font: 'Carlito', size: 9.5, accent: '#b34700', header: 'Laboratory Report', footer: 'Page #PAGE / #PAGES' });
  },
};

/** A yearly check-up: rows numbered, ranges in brackets under the name, remarks as words. */
export const healthCheck: Layout = {
  id: 'in-health-check',
  country: 'in',
  engine: 'libreoffice',
  about: 'yearly health check; numbered rows; the range in brackets under the name; remark words; value and unit in one cell',
  style: {
    quantities: ['conventional', 'india'],
    nameVariant: 1,
    name: (_, analyte) => analyte.names.in[1] ?? analyte.names.in[0] ?? analyte.key,
    unit: units({ power: 'caret' }),
    range: (limits) => span(limits, '-', { below: 'below ', above: 'above ', atMost: 'upto ', atLeast: 'above ' }),
    flag: letters('Above normal', 'Below normal', { abnormal: 'Needs attention', inside: 'Within range' }),
    unitWithoutValue: false,
    notMeasured: ['Not available'],
  },
  print(report) {
    const document = new OfficeDocument();
    document.add(report.lab('Karuna Mission Hospital'), 'Title').add('Executive Health Check - Laboratory Summary', 'Centre').add('');
    document
      .add(
        `Name: ${report.name('F L')}    Age/Sex: ${report.age()} Y / ${report.sex('M', 'F')}    Date of visit: ${report.date('DD.MM.YYYY')}    ${report.note(`Package: EHC-${report.random.digits(3)}`)}`,
      )
      .add('');
    let number = 0;
    const rows: Cell[][] = [['No.', 'Test', 'Result', 'Remark'].map((text) => ({ text, style: 'Bold' }))];
    for (const [title, panel] of [
      ['Blood', ['hemoglobin', 'wbc', 'platelets', 'esr']],
      ['Sugar', ['glucose', 'a1c']],
      ['Kidney', ['urea', 'creatinine', 'urate']],
      ['Liver', ['bilirubin', 'ast', 'alt', 'ggt', 'alp', 'protein', 'albumin']],
      ['Cholesterol', ['cholesterol', 'hdl', 'ldl', 'triglycerides']],
      ['Thyroid', ['tsh']],
      ['Vitamins', ['vitaminD', 'b12']],
    ] as const) {
      rows.push(['', { text: title, style: 'Bold' }]);
      for (const line of report.section(title, panel))
        rows.push([
          `${++number}.`,
          `${line.name}${line.range.text === null ? '' : `\n(${line.range.text})`}`,
          { text: `${line.value}${line.notMeasured || line.unit === null ? '' : ` ${line.unit}`}`, style: 'Bold' },
          line.flag,
        ]);
    }
    document
      .table({ widths: [1.2, 7.4, 4.4, 4.4], heads: 1, borders: 'rows' }, rows)
      .add('')
      .add(report.note('Height 168 cm, weight 74 kg, BP 130/84. Advice: walk 30 minutes, 5 days a week.'));
    return document.write({ font: 'DejaVu Sans', size: 9, accent: '#004d40' });
  },
};
