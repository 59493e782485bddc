import { letters, span, units } from '../../report/style.ts';
import { columns, paged } from '../text.ts';
import type { Layout } from '../layout.ts';

/** The paper report that a hospital's pathology sends to practices: an asterisk before what is outside, ranges in round brackets. */
export const hospitalPathology: Layout = {
  id: 'uk-hospital-pathology',
  country: 'uk',
  engine: 'enscript',
  about: 'pathology of a hospital, typewriter face; asterisk before values outside; range in brackets; comments between rows',
  style: {
    quantities: ['si', 'conventional'],
    unit: units({ power: 'star', words: { '10*9/L': 'x10*9/L', '10*12/L': 'x10*12/L' } }),
    range: (limits) => span(limits, ' - '),
    flag: (side) => (side === 'inside' ? null : '*'),
    notMeasured: ['Haemolysed', 'No sample'],
  },
  print(report) {
    const out: string[] = [];
    const widths = [30, -3, -10, 16, 20];
    const add = (title: string, panel: Parameters<typeof report.section>[1], comment?: string) => {
      out.push(title, '');
      for (const line of report.section(title, panel)) {
        out.push(
          columns(widths, [`  ${line.name}`, line.flag, line.value, line.unit, line.range.text === null ? '' : `( ${line.range.text} )`]),
        );
      }
      if (comment !== undefined) out.push(`     ${report.note(comment)}`);
      out.push('');
    };
    add('RENAL PROFILE', 'renalUk', 'eGFR assumes a stable state; multiply by 1.159 if of African-Caribbean origin.');
    add('LIVER PROFILE', 'liverUk');
    add('BONE PROFILE', ['calcium', 'adjustedCalcium', 'phosphate']);
    add('C-REACTIVE PROTEIN', ['crp']);
    add('THYROID FUNCTION', ['tsh', 'ft4'], 'Results suggest euthyroid state if untreated. Repeat in 12 months.');
    add('HAEMATINICS', ['ferritin', 'b12', 'folate']);
    const head = [
      `${report.lab('ROYAL DUNMERE HOSPITALS NHS TRUST')}            DEPARTMENT OF PATHOLOGY`,
      report.note('Clinical Biochemistry  Tel: 01632 960077        UKAS Medical 9999'),
      '-'.repeat(80),
      `Surname  : ${report.name('LAST, FIRST').split(', ')[0]?.padEnd(26)} Hospital No: ${report.note(`RD${report.random.digits(6)}`)}`,
      `Forename : ${report.person.firstName?.padEnd(26)} NHS No     : ${report.note('999 551 0328')}`,
      `D.o.B.   : ${report.dob('DD/MM/YYYY').padEnd(26)} Sex        : ${report.sex('M', 'F')}`,
      `Consultant/GP : ${report.patient.doctor.padEnd(21)} Location   : ${report.note('HARBOUR ROAD SURGERY (B99014)')}`,
      '-'.repeat(80),
      `Lab No: ${report.note(`24.${report.random.digits(7)}.K`)}   Collected: ${report.collected('DD/MM/YY HH:mm')}   Received: ${report.received('DD/MM/YY HH:mm')}`,
      `Specimen: Blood           Reported : ${report.reported('DD/MM/YY HH:mm')}   Authorised by: Auto`,
      '',
    ];
    // Surname and forename stand apart on this paper.
    report.person.name = null;
    return `%%options -f Courier9.5 -M A4 --margins=45:40:40:40\n${paged(out, 48, (page, pages) => [...head, ...(pages > 1 ? [`Page ${page} of ${pages}`, ''] : [])])}`;
  },
};

/** A ward's printout of one day, without units for some and with the range before the value. */
export const wardPrintout: Layout = {
  id: 'uk-ward-printout',
  country: 'uk',
  engine: 'enscript',
  about: 'ward printout, typewriter face; two columns of tests side by side; letters after values; ranges in square brackets',
  style: {
    quantities: ['si', 'conventional'],
    nameVariant: 1,
    unit: units({ power: 'caret' }),
    range: (limits) => span(limits, '-'),
    flag: letters('H', 'L', { criticalHigh: 'HH', criticalLow: 'LL' }),
    notMeasured: ['HAEM', 'INSUF'],
  },
  print(report) {
    const left = [...report.section('U&E', 'renalUk'), ...report.section('LFT', 'liverUk'), ...report.section('CRP', ['crp'])];
    const right = [
      ...report.section('FBC', 'count'),
      ...report.section('DIFF', 'absolutes'),
      ...report.section('COAG', ['pt', 'inr', 'aptt']),
    ];
    const cell = (line: (typeof left)[number] | undefined) =>
      line === undefined
        ? ''
        : columns([21, -7, 3, 24], [line.name, line.value, line.flag, `${line.unit ?? ''} [${line.range.text ?? ''}]`]);
    const rows: string[] = [];
    const column = (lines: typeof left) =>
      lines.flatMap((line, index) => (line.section === lines[index - 1]?.section ? [cell(line)] : [`** ${line.section} **`, cell(line)]));
    const [first, second] = [column(left), column(right)];
    for (let at = 0; at < Math.max(first.length, second.length); at++) rows.push(`${(first[at] ?? '').padEnd(58)}${second[at] ?? ''}`);
    const head = [
      `${report.lab('KELVEDALE INFIRMARY')}   WARD ENQUIRY PRINT`,
      `Pt: ${report.name('LAST, FIRST')}   DOB ${report.dob('DD/MM/YYYY')}   ${report.sex('Male', 'Female')}   ${report.note(`Hosp ${report.random.digits(7)}`)}   Ward: ${report.note('12A')}`,
      `Coll. ${report.collected('DD/MM/YYYY HH:mm')}   Rep. ${report.reported('DD/MM/YYYY HH:mm')}`,
      '',
    ];
    return `%%options -r -f Courier9 -M A4 --margins=40:30:35:35\n${paged(rows, 48, () => head)}`;
  },
};
