import { span, units } from '../../report/style.ts';
import { html, htmlPage } from '../html.ts';
import type { Layout } from '../layout.ts';

/** A hospital's discharge summary: no column for units, `57%`, flags as signs that touch the value. */
export const dischargeSummary: Layout = {
  id: 'us-discharge-summary',
  country: 'us',
  engine: 'chromium',
  about: 'discharge summary; unit touches the value (57%, 14.2g/dL) and no column for it; asterisk or [H] touching; rows in two blocks',
  style: {
    nameVariant: 1,
    unit: units({ words: { '10*3/uL': 'K/uL', '10*6/uL': 'M/uL' } }),
    range: (limits) => span(limits, '-'),
    flag: (side) => (side === 'inside' ? null : side.startsWith('critical') ? '**' : '*'),
    unitWithoutValue: false,
    notMeasured: ['Clotted', 'Not sent'],
  },
  print(report) {
    const block = (title: string, panel: Parameters<typeof report.section>[1]) =>
      html`<h3>${title}</h3>
        <table>
          ${report.section(title, panel).map((line) => {
            const touching = line.unit === null || line.notMeasured ? '' : line.unit.startsWith('%') ? line.unit : ` ${line.unit}`;
            return html`<tr>
              <td class="n">${line.name}</td>
              <td class="v">${line.flag}${line.value}${touching}</td>
              <td>${line.range.text}</td>
            </tr>`;
          })}
        </table>`;
    const vital = report.note('Vitals at discharge: T 98.4 F, HR 72, BP 118/76, RR 16, SpO2 97% on room air. Weight 81.2 kg.');
    return htmlPage(
      `@page{size:Letter;margin:14mm}body{font:10.5px 'Liberation Serif'}h1{font-size:17px;margin:0}h3{margin:10px 0 2px;font-size:11px;border-bottom:1px solid #999}
       .c{columns:2;column-gap:10mm}table{width:100%;break-inside:avoid}td{padding:1.5px 3px}.n{width:45%}.v{white-space:nowrap}h3{break-after:avoid}`,
      html`<h1>${report.lab('Queen of the Valley Medical Center')}</h1>
        <p>
          DISCHARGE SUMMARY &mdash; <b>${report.name('LAST, FIRST')}</b> &emsp; DOB: ${report.dob('MM/DD/YYYY')} &emsp; Sex:
          ${report.sex('Male', 'Female')} &emsp; ${report.note(`Encounter ${report.random.digits(9)}`)}
        </p>
        <p>${vital}</p>
        <p><b>Last laboratory results</b>, collected ${report.collected('MM/DD/YYYY HH:mm')} (* outside reference range, ** critical):</p>
        <div class="c">
          ${block('Chemistry', 'basic')}${block('Liver', ['bilirubin', 'alp', 'ast', 'alt', 'albumin'])}
          ${block('CBC', ['wbc', 'hemoglobin', 'hematocrit', 'platelets'])}${block('Differential', 'differential')}
          ${block('Coagulation', ['pt', 'inr', 'aptt'])}${block('Other', ['a1c', 'tsh', 'ironSaturation'])}
        </div>
        <p>
          ${report.note('Medications: lisinopril 10 mg daily, atorvastatin 40 mg nightly, metformin 500 mg twice daily. Follow up in 7 to 10 days.')}
        </p>`,
    );
  },
};
