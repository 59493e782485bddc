import { letters, span, units } from '../../report/style.ts';
import { html, htmlPage, raised } from '../html.ts';
import type { Layout } from '../layout.ts';

/** A private clinic's booklet: pages by organ, a bar from low to high, the value above it. */
export const privateClinic: Layout = {
  id: 'uk-private-clinic',
  country: 'uk',
  engine: 'chromium',
  about: "booklet of a private clinic; serif type; columns Test, Your result, Unit, Typical range, Status with words; doctor's comments",
  style: {
    quantities: ['si', 'conventional'],
    unit: units({ micro: 'μ', power: 'x 10' }),
    range: (limits) =>
      limits.low !== null && limits.high !== null
        ? `${limits.lowText} – ${limits.highText}`
        : span(limits, '', { below: 'less than ', above: 'more than ', atMost: 'up to ', atLeast: 'at least ' }),
    flag: letters('Raised', 'Low', { inside: 'Normal', abnormal: 'Abnormal' }),
    notMeasured: ['Sample unsuitable'],
  },
  print(report) {
    const groups = (
      [
        ['Blood health', 'countAbsolute'],
        ['Kidneys', ['sodium', 'potassium', 'urea', 'creatinine', 'egfr', 'urate']],
        ['Liver', 'liver'],
        ['Heart', ['cholesterol', 'hdl', 'ldl', 'triglycerides', 'cholRatio', 'hscrp']],
        ['Diabetes', ['a1cIfcc']],
        ['Bones and vitamins', ['calcium', 'vitaminD', 'b12', 'ferritin']],
      ] as const
    ).map(([title, panel]) => ({ title, lines: report.section(title, panel) }));
    return htmlPage(
      `@page{size:A4;margin:16mm}body{font:10.5px 'DejaVu Serif'}h1{font-weight:normal;font-size:22px;border-bottom:3px double #345}h2{font-size:13px;margin:14px 0 3px}table{width:100%}th{font-size:9px;text-align:left;border-bottom:1px solid #345;padding:3px}td{padding:3px;border-bottom:1px solid #dde}.x{font-weight:bold;color:#a04000}sup{font-size:70%}`,
      html`<h1>${report.lab('The Cavendish Row Clinic')}</h1>
        <p>
          Health assessment of <b>${report.name('TITLE F L')}</b>, born ${report.dob('D MONTH YYYY')}, ${report.sex('male', 'female')}.
          Blood taken ${report.collected('D Mon YYYY')}; reported ${report.reported('D Mon YYYY')}.
          ${report.note(`Membership ${report.random.digits(6)}/B`)}
        </p>
        ${groups.map(
          ({ title, lines }) =>
            html`<h2>${title}</h2>
              <table>
                <thead>
                  <tr>
                    <th style="width:36%">Test</th>
                    <th>Your result</th>
                    <th>Unit</th>
                    <th>Typical range</th>
                    <th>Status</th>
                  </tr>
                </thead>
                ${lines.map(
                  (line) =>
                    html`<tr class=${line.side === 'inside' ? '' : 'x'}>
                      <td>${line.name}</td>
                      <td>${line.value}</td>
                      <td>${raised(line.unit)}</td>
                      <td>${line.range.text}</td>
                      <td>${line.flag}</td>
                    </tr>`,
                )}
              </table>`,
        )}
        <p><i>${report.note('Doctor’s comment: repeat in 12 months. Alcohol 14 units a week or less, as advised in 2016.')}</i></p>`,
      {
        footer: html`<div style="font:7px serif;width:100%;text-align:center">
          The Cavendish Row Clinic, 9 Cavendish Row, London ZZ1 1ZZ – <span class="pageNumber"></span>
        </div>`,
      },
    );
  },
};

/** The viewer of a hospital's results, printed from the screen: requests in boxes, range and unit in the title of a column. */
export const resultsViewer: Layout = {
  id: 'uk-results-viewer',
  country: 'uk',
  engine: 'chromium',
  about: 'results viewer printed from a screen; columns Test, Result, Flag, Range, Units; specimen and comment lines in boxes',
  style: {
    quantities: ['si', 'conventional'],
    nameVariant: 1,
    unit: units({ power: 'star' }),
    range: (limits) => span(limits, ' - '),
    flag: letters('H', 'L', { criticalHigh: 'HH', criticalLow: 'LL', abnormal: 'A' }),
    notMeasured: ['Haemolysed sample', 'See comment'],
  },
  print(report) {
    const request = (title: string, panel: Parameters<typeof report.section>[1], specimen: string, comment: string | null) =>
      html`<div class="b">
        <div class="t">${title} <span>(${specimen}) &nbsp; Final</span></div>
        <table>
          <tr>
            <th>Test</th>
            <th>Result</th>
            <th></th>
            <th>Range</th>
            <th>Units</th>
          </tr>
          ${report.section(title, panel, { specimen }).map(
            (line) =>
              html`<tr class=${line.flag === null ? '' : 'x'}>
                <td>${line.name}</td>
                <td>${line.value}</td>
                <td>${line.flag}</td>
                <td>${line.range.text}</td>
                <td>${line.unit}</td>
              </tr>`,
          )}
        </table>
        ${comment === null ? '' : html`<div class="c">Comment: ${report.note(comment)}</div>`}
      </div>`;
    return htmlPage(
      `@page{size:A4;margin:9mm}body{font:10px 'Liberation Sans'}.h{background:#003087;color:#fff;padding:6px 9px;display:flex;justify-content:space-between}.b{border:1px solid #8aa;margin-top:8px;break-inside:avoid}.t{background:#dce8f2;font-weight:bold;padding:3px 7px}.t span{font-weight:normal}table{width:100%}th{text-align:left;font-size:8.5px;color:#555;padding:2px 7px}td{padding:2px 7px}td:nth-child(1){width:38%}.x{background:#fff3c4;font-weight:bold}.c{padding:3px 7px;font-style:italic}`,
      html`<div class="h">
          <span><b>${report.name('LAST, F (TITLE)')}</b></span
          ><span
            >BORN ${report.dob('DD-Mon-YYYY')} &nbsp; GENDER ${report.sex('Male', 'Female')} &nbsp;
            ${report.note('NHS No. 999 777 1203')}</span
          >
        </div>
        <p>
          Collected ${report.collected('DD-Mon-YYYY HH:mm')} &nbsp;|&nbsp; Reported ${report.reported('DD-Mon-YYYY HH:mm')} &nbsp;|&nbsp;
          Requested by ${report.patient.doctor} &nbsp;|&nbsp; ${report.lab('Severnside Hospitals Pathology')}
        </p>
        ${request('Urea and Electrolytes', 'renalUk', 'Serum', 'eGFR 45-59 on one occasion: repeat within 2 weeks.')}${request('Liver Function Test', 'liverUk', 'Serum', null)}${request('Full Blood Count', 'countAbsolute', 'EDTA Blood', null)}${request('Clotting Screen', ['pt', 'inr', 'aptt', 'ddimer'], 'Citrate Plasma', 'Target INR 2.0 - 3.0 for most indications.')}${request('Urine Albumin', 'urineAlbumin', 'Urine', null)}`,
    );
  },
};
