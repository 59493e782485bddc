import { span, units } from '../../report/style.ts';
import { addHistory } from '../us/cumulative.ts';
import type { Layout } from '../layout.ts';
import { roff, tbl } from '../roff.ts';

/** The cumulative sheet that is glued into a hospital's notes: dates across, the newest at the right. */
export const cumulativeSheet: Layout = {
  id: 'uk-cumulative-sheet',
  country: 'uk',
  engine: 'groff',
  about: 'cumulative sheet of a hospital; dates as titles, the newest at the right; range in a column before the dates; asterisks',
  style: {
    quantities: ['si', 'conventional'],
    unit: units({ power: 'star' }),
    range: (limits) => span(limits, '-'),
    flag: (side) => (side === 'inside' ? null : '*'),
    notMeasured: ['Haem', 'Insuff'],
  },
  print(report) {
    const lines = [
      ...report.section('Biochemistry', [
        'sodium',
        'potassium',
        'urea',
        'creatinine',
        'egfr',
        'bilirubin',
        'alp',
        'alt',
        'albumin',
        'calcium',
        'adjustedCalcium',
        'crp',
      ]),
      ...report.section('Haematology', 'count'),
    ];
    const form = 'DD/MM/YY';
    const dates = addHistory(report, lines, form).toReversed();
    let last: string | null = null;
    const rows = lines.flatMap((line) => {
      const head = line.section === last ? [] : [[`\\fB${line.section ?? ''}\\fP`, '', '', '', '', '', '']];
      last = line.section;
      const old = dates.map((date) => roff(line.previous.find((previous) => previous.title === date)?.value ?? ''));
      return [...head, [roff(line.name), roff(line.unit), roff(line.range.text), ...old, roff(`${line.value}${line.flag ?? ''}`)]];
    });
    return `.fam H\n.ps 9\n.vs 12\n.ll 7.1i\n.po 0.7i\n.nh\n.ad l\n.sp 0.4i\n\\fB\\s12${roff(report.lab('Thornby General Hospital'))}\\s0  Cumulative Report\\fP\n.sp 0.5\n.nf\n${roff(report.name('LAST, FIRST'))}     DoB ${roff(report.dob('DD/MM/YYYY'))}     ${report.sex('M', 'F')}     ${roff(report.note(`Hospital number ${report.random.digits(7)}`))}\n.fi\n.sp 0.5\n${tbl('allbox', ['lB lB lB rB rB rB rB', 'l l l r r r r'], [['Test', 'Units', 'Range', ...dates.map(roff), roff(report.collected(form))], ...rows])}\n.sp 0.5\n* outside the reference range. ${roff(report.note('Sheet 3 of 3. Replaces sheet 2.'))}\n`;
  },
};
