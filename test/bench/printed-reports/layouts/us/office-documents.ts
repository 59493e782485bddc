import { letters, span, typeset, units } from '../../report/style.ts';
import { OfficeDocument, type Cell } from '../fodt.ts';
import type { Layout } from '../layout.ts';

/** A clinic that types results into a form: a grid with all lines drawn, the unit before the result. */
export const clinicForm: Layout = {
  id: 'us-clinic-form',
  country: 'us',
  engine: 'libreoffice',
  about: 'form of a small clinic; grid; columns Test, Units, Reference, Result, Flag; flags as words in red',
  style: {
    unit: units({ power: 'x10^' }),
    range: (limits) => span(limits, ' – ', typeset),
    flag: letters('HIGH', 'LOW', { abnormal: 'ABN' }),
    notMeasured: ['QNS', 'Not performed'],
  },
  print(report) {
    const document = new OfficeDocument();
    document
      .add(report.lab('Bluestem Internal Medicine Lab'), 'Title')
      .add(report.note('221 Prairie Ave, Suite B, Wheaton Falls, KS 66999  |  Tel (555) 010-4433'), 'Centre')
      .add('');
    document.table({ widths: [9, 9.3], borders: 'all' }, [
      [`Patient Name: ${report.name('L, F')}`, `Date of Birth: ${report.dob('M/D/YYYY')}`],
      [`Sex: ${report.sex('Male', 'Female')}`, report.note(`Chart #: ${report.random.digits(5)}`)],
      [`Date Collected: ${report.collected('M/D/YYYY')}`, `Date Reported: ${report.reported('M/D/YYYY')}`],
    ]);
    const sections: [string, Parameters<typeof report.section>[1]][] = [
      ['CBC', 'count'],
      ['BMP', 'basic'],
      ['LIPIDS', ['cholesterol', 'hdl', 'triglycerides', 'ldlDirect']],
      ['THYROID', ['tsh', 'ft4']],
    ];
    const rows: Cell[][] = [['Test', 'Units', 'Reference', 'Result', 'Flag'].map((text) => ({ text, style: 'Bold' }))];
    for (const [title, panel] of sections) {
      rows.push([{ text: title, style: 'Section' }]);
      for (const line of report.section(title, panel))
        rows.push([
          line.name,
          line.unit,
          line.range.text,
          { text: line.value, style: line.flag === null ? 'Right' : 'Red' },
          { text: line.flag, style: 'Red' },
        ]);
    }
    document.add('').table({ widths: [6.2, 3.4, 3.6, 3, 2.1], heads: 1 }, rows);
    document.add('').add(report.note('Reviewed by: ______________________   Follow up in: 6 weeks / 12 weeks'), 'Italic');
    return document.write({ font: 'Caladea', size: 10, paper: 'letter', accent: '#1f4e79' });
  },
};

/** A letter of a wellness practice: results in sentences and in a short table with their goals. */
export const wellnessLetter: Layout = {
  id: 'us-wellness-letter',
  country: 'us',
  engine: 'libreoffice',
  about: 'wellness practice; Marker, Your result, Optimal, Standard range; the standard one counts; arrows as flags',
  style: {
    nameVariant: 1,
    unit: units({ micro: 'µ', power: 'superscript' }),
    range: (limits) => span(limits, '-', typeset),
    flag: letters('↑', '↓', { abnormal: '!' }),
    unitWithoutValue: false,
    notMeasured: ['not run'],
  },
  print(report) {
    const document = new OfficeDocument();
    document
      .add(report.lab('Heron Lake Integrative Health'), 'Head')
      .add(report.note('PO Box 3399, Heron Lake, MN 56999'), 'Small')
      .add('')
      .add(report.date('MONTH D, YYYY', 'reported'))
      .add('');
    const name = report.name('F L');
    document
      .add(`Patient: ${name}    DOB: ${report.dob('MM/DD/YYYY')}    Blood drawn: ${report.collected('MM/DD/YYYY')}`, 'Bold')
      .add('')
      .add(`Dear ${report.person.firstName ?? ''},`)
      .add('');
    document
      .add(
        report.note('Below are your results. Please book a 30 minute visit within 2 weeks to talk about the 3 markers that matter most.'),
      )
      .add('');
    const optimal = (low: number | null, high: number | null) =>
      low !== null && high !== null
        ? `${+(low + (high - low) * 0.2).toPrecision(2)}-${+(low + (high - low) * 0.7).toPrecision(2)}`
        : 'see guide';
    for (const [title, panel] of [
      ['Hormones', ['tsh', 'ft3', 'ft4', 'testosterone', 'shbg', 'estradiol', 'dheas', 'cortisol']],
      ['Nutrients', ['vitaminD', 'b12', 'folate', 'ferritin', 'zinc']],
      ['Heart & Metabolism', ['hscrp', 'homocysteine', 'insulin', 'a1c', 'apob', 'lpa']],
    ] as const) {
      document.add(title, 'Head');
      document
        .table({ widths: [5.6, 4.6, 3.6, 4.4], borders: 'rows', heads: 1 }, [
          ['Marker', 'Your result', 'Optimal', 'Standard range'].map((text) => ({ text, style: 'Bold' })),
          ...report.section(title, panel).map((line) => [
            line.name,
            {
              text: `${line.value}${line.unit === null || line.notMeasured ? '' : ` ${line.unit}`}${line.flag === null ? '' : ` ${line.flag}`}`,
              style: line.flag === null ? 'Cell' : 'Bold',
            },
            report.note(optimal(line.limits?.low ?? null, line.limits?.high ?? null)),
            line.range.text,
          ]),
        ])
        .add('');
    }
    document
      .add('↑ above, ↓ below the standard range. Optimal ranges are our own.', 'Small')
      .add('')
      .add('Warmly,')
      .add(report.patient.doctor);
    return document.write({ font: 'DejaVu Serif', size: 10, paper: 'letter', accent: '#2e7d5b', footer: 'Page #PAGE of #PAGES' });
  },
};
