import { letters, span, units } from '../../report/style.ts';
import { paged, wrap } from '../text.ts';
import type { Layout } from '../layout.ts';

/** Results in a note of a record system: `Name: value unit (range) [flag]`, one or several in a line. */
export const inlineNote: Layout = {
  id: 'us-inline-note',
  country: 'us',
  engine: 'enscript',
  about: 'note of a record system, typewriter face; lines "Name   value unit   (range)   [H]", flags in brackets',
  style: {
    nameVariant: 1,
    unit: units({ power: 'x10E' }),
    range: (limits) => span(limits, '-'),
    flag: letters('[H]', '[L]', { abnormal: '[A]' }),
    unitWithoutValue: false,
    notMeasured: ['*TNP*', 'see comment'],
  },
  print(report) {
    const out: string[] = [
      `LABORATORY RESULTS                         ${report.lab('Ridgeline Health Laboratory')}`,
      '',
      `Patient:    ${report.name('F L')}`,
      `DOB:        ${report.dob('MM/DD/YYYY')}   Sex: ${report.sex('M', 'F')}`,
      `Collected:  ${report.collected('MM/DD/YYYY HH:mm')}`,
      `Resulted:   ${report.reported('MM/DD/YYYY HH:mm')}`,
      report.note(`Order:      ${report.random.digits(9)}`),
      '',
    ];
    for (const [title, panel] of [
      ['Basic Metabolic Panel', 'basic'],
      ['Hepatic Function', 'liver'],
      ['CBC', 'count'],
      ['Lipid Panel', ['cholesterol', 'triglycerides', 'hdl', 'ldl']],
      ['Other', ['tsh', 'a1c', 'vitaminD', 'crp']],
    ] as const) {
      out.push(`${title}:`);
      for (const line of report.section(title, panel)) {
        const unit = line.unit === null || line.notMeasured ? '' : ` ${line.unit}`;
        out.push(
          `  ${`${line.name}:`.padEnd(24)} ${line.value}${unit}${line.range.text === null ? '' : `  (ref ${line.range.text})`}${line.flag === null ? '' : ` ${line.flag}`}`,
        );
      }
      out.push('');
    }
    out.push(
      ...wrap(
        report.note(
          'Assessment: labs reviewed with patient on the phone, 12 minutes. Continue current dose 20 mg daily, recheck lipids in 8 to 12 weeks.',
        ),
        76,
      ),
      '',
      'Electronically signed',
    );
    return `%%options -f Courier10 -M Letter --margins=50:30:40:40\n${paged(out, 58, () => [])}`;
  },
};
