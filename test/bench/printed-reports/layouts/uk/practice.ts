import { letters, span, spacedSigns, units } from '../../report/style.ts';
import { html, htmlPage } from '../html.ts';
import type { Layout } from '../layout.ts';

/** A record system of general practice: results as indented lines, the range in square brackets, flags before the text. */
export const practiceRecord: Layout = {
  id: 'uk-practice-record',
  country: 'uk',
  engine: 'chromium',
  about: 'record printout of a general practice; value and unit in one cell, range in square brackets, words "Above high reference limit"',
  style: {
    quantities: ['si', 'conventional'],
    nameVariant: 2,
    unit: units({ power: 'caret', words: { '10*9/L': '10*9/L', '10*12/L': '10*12/L' } }),
    range: (limits) => span(limits, ' - ', spacedSigns),
    flag: letters('Above high reference limit', 'Below low reference limit', { abnormal: 'Abnormal' }),
    unitWithoutValue: false,
    notMeasured: ['Sample haemolysed', 'Insufficient sample'],
  },
  print(report) {
    const groups = [
      { title: 'Full blood count - FBC', lines: report.section('Full blood count - FBC', 'countAbsolute') },
      { title: 'Urea and electrolytes', lines: report.section('Urea and electrolytes', 'renalUk') },
      { title: 'Liver function tests', lines: report.section('Liver function tests', 'liverUk') },
      { title: 'Serum lipids', lines: report.section('Serum lipids', 'lipidUk') },
    ];
    const filed = report.note('Filed by FP at 09:14 - no further action');
    return htmlPage(
      `@page{size:A4;margin:14mm}body{font:10.5px 'Liberation Sans'}h1{font-size:14px;text-align:center}h2{font-size:11px;margin:10px 0 2px;border-bottom:1px solid #000}td{padding:1.5px 6px;vertical-align:top}.n{padding-left:18px;width:36%}.f{font-weight:bold;font-size:9px}.x td{font-weight:bold}.k td{padding:1px 4px}`,
      html`<h1>Investigation Results</h1>
        <table class="k">
          <tr>
            <td>Patient:</td>
            <td><b>${report.name('LAST, F (TITLE)')}</b></td>
            <td>Date of Birth:</td>
            <td>${report.dob('DD-Mon-YYYY')} (${report.age()}y)</td>
          </tr>
          <tr>
            <td>NHS No:</td>
            <td>${report.note('999 014 3372')}</td>
            <td>Gender:</td>
            <td>${report.sex('Male', 'Female')}</td>
          </tr>
          <tr>
            <td>Usual GP:</td>
            <td>${report.patient.doctor}</td>
            <td>Address:</td>
            <td>${report.note('14 Larkspur Close, Nether Hallam, ZZ99 3VZ')}</td>
          </tr>
        </table>
        <p>
          Specimen taken: ${report.collected('DD-Mon-YYYY HH:mm')} &emsp; Report date: ${report.reported('DD-Mon-YYYY')} &emsp; Lab:
          ${report.lab('Fenmoor Pathology Partnership')}
        </p>
        ${groups.map(
          ({ title, lines }) =>
            html`<h2>${title}</h2>
              <div class="f">${filed}</div>
              <table>
                ${lines.map(
                  (line) =>
                    html`<tr class=${line.flag === null ? '' : 'x'}>
                      <td class="n">${line.name}</td>
                      <td>${line.value} ${line.notMeasured ? '' : line.unit}</td>
                      <td>[${line.range.text}]</td>
                      <td>${line.flag}</td>
                    </tr>`,
                )}
              </table>`,
        )}
        <p>${report.note('Printed by Mrs K Ainscough, The Surgery at Nether Hallam, 01632 960 144')}</p>`,
    );
  },
};

/** What a national app shows a patient, printed from a phone or browser: a card for each test, the range in a sentence. */
export const patientApp: Layout = {
  id: 'uk-patient-app',
  country: 'uk',
  engine: 'chromium',
  about: "app of the health service printed by a browser; a card for each result; value in large type, 'Normal range' below",
  style: {
    quantities: ['si', 'conventional'],
    nameVariant: 1,
    unit: units({ power: 'star' }),
    range: (limits) => (limits.low !== null && limits.high !== null ? `${limits.lowText} to ${limits.highText}` : span(limits, ' to ')),
    flag: () => null,
    notMeasured: ['Unable to report'],
  },
  print(report) {
    const lines = [
      ...report.section('Full blood count', 'count'),
      ...report.section('Renal profile', 'renalUk'),
      ...report.section('Bone profile', ['calcium', 'adjustedCalcium', 'phosphate', 'alp']),
    ];
    let last: string | null = null;
    return htmlPage(
      `@page{size:A4;margin:16mm 18mm}body{font:13px 'Liberation Sans';color:#212b32}h1{font-size:25px;margin:0 0 6px}h2{font-size:19px;margin:14px 0 6px}.c{border:1px solid #d8dde0;padding:8px 12px;margin:0 0 7px;break-inside:avoid}.v{font-size:17px;font-weight:bold}.n{color:#005eb8;font-weight:bold}.g{color:#4c6272;font-size:12px}`,
      html`<div class="g">
          ${report.name('TITLE F L')} &nbsp;|&nbsp; Born ${report.dob('D MONTH YYYY')} &nbsp;|&nbsp;
          ${report.note('NHS number: 999 208 4417')}
        </div>
        <h1>Test result</h1>
        <p class="g">
          Sample taken on ${report.collected('D MONTH YYYY')}. Requested by ${report.patient.doctor}, Quayside Medical Practice.
        </p>
        ${lines.map((line) => {
          const heading = line.section === last ? html`` : html`<h2>${line.section}</h2>`;
          last = line.section;
          return html`${heading}
            <div class="c">
              <div class="n">${line.name}</div>
              <div class="v">${line.value}${line.notMeasured || line.unit === null ? '' : ` ${line.unit}`}</div>
              ${line.range.text === null ? '' : html`<div class="g">Normal range: ${line.range.text}${line.unit === null ? '' : ` ${line.unit}`}</div>`}
            </div>`;
        })}
        <p class="g">${report.note('Results can take up to 3 days to appear. Call 111 if you feel unwell.')}</p>`,
    );
  },
};
