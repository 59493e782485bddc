import type { Line } from '../../report/measure.ts';
import { letters, span, units } from '../../report/style.ts';
import { html, htmlPage, type Markup } from '../html.ts';
import type { Layout } from '../layout.ts';

/** Bands below an interval that hold for others than the patient, who is an adult. */
const bands: Record<string, string[]> = {
  hemoglobin: ['Children (1-12 yrs): 11.0-14.5', 'Pregnancy: 11.0-14.0'],
  wbc: ['Newborn: 10000-25000', 'Children: 5000-13000'],
  alp: ['1-12 yrs: 100-320', '13-17 yrs: 70-260'],
  creatinine: ['Child: 0.30-0.70'],
  tsh: ['Newborn (1-4 days): 1.000-39.000', '1-12 yrs: 0.700-6.400', 'Trimester 1: 0.100-2.500'],
};

/** A children's and women's hospital: intervals of several ages in one cell, the adult's first. */
export const ageBands: Layout = {
  id: 'in-age-bands',
  country: 'in',
  engine: 'chromium',
  about: "hospital for all ages; the cell of the interval has the adult's range and below it those of children and pregnancy",
  style: {
    quantities: ['india', 'conventional'],
    nameVariant: 1,
    unit: units({ micro: 'µ', power: 'caret' }),
    range: (limits) => `Adult: ${span(limits, '-', { below: '<', above: '>', atMost: 'Upto ', atLeast: '>' }) ?? ''}`,
    flag: letters('HIGH', 'LOW', { abnormal: 'ABNORMAL' }),
    notMeasured: ['Sample haemolysed'],
  },
  print(report) {
    const cell = (line: Line): Markup =>
      html`${line.range.text}${(bands[line.analyte.key] ?? []).map((text) => html`<br />${report.note(text)}`)}`;
    const groups = (
      [
        ['HAEMATOLOGY', ['hemoglobin', 'wbc', 'platelets', 'hematocrit', 'mcv']],
        ['CLINICAL CHEMISTRY', ['glucose', 'urea', 'creatinine', 'bilirubin', 'alp', 'ast', 'alt', 'calcium', 'albumin']],
        ['ENDOCRINOLOGY', ['tsh', 't4', 'prolactin']],
      ] as const
    ).map(([title, panel]) => ({ title, lines: report.section(title, panel) }));
    return htmlPage(
      `@page{size:A4;margin:13mm}body{font:10.5px 'Liberation Sans'}h1{font-size:18px;margin:0;color:#6a1b9a}.t td{padding:2px 8px 2px 0}.r{width:100%;margin-top:4px}
       .r th{background:#eee3f3;text-align:left;padding:4px}.r td{border-bottom:1px solid #ccc;padding:3px 4px;vertical-align:top}h2{font-size:12px;margin:12px 0 2px}.f{color:#b00020;font-weight:bold}`,
      html`<h1>${report.lab('Matrika Women and Children Hospital')}</h1>
        <div>${report.note('Near Clock Tower, Bilimora 396999. Lab timings 7.30 am to 9 pm')}</div>
        <hr />
        <table class="t">
          <tr>
            <td>Patient's Name</td>
            <td><b>: ${report.name('TITLE F L')}</b></td>
            <td>Age / Sex</td>
            <td>: ${report.age()} Yrs / ${report.sex('Male', 'Female')}</td>
          </tr>
          <tr>
            <td>Sample Date</td>
            <td>: ${report.collected('DD-Mon-YYYY HH:mm')}</td>
            <td>Report Date</td>
            <td>: ${report.reported('DD-Mon-YYYY HH:mm')}</td>
          </tr>
          <tr>
            <td>Referring Dr.</td>
            <td>: ${report.patient.doctor}</td>
            <td>Lab No.</td>
            <td>: ${report.note(`H${report.random.digits(6)}`)}</td>
          </tr>
        </table>
        ${groups.map(
          ({ title, lines }) =>
            html`<h2>${title}</h2>
              <table class="r">
                <thead>
                  <tr>
                    <th style="width:32%">Test</th>
                    <th>Reference Interval</th>
                    <th>Unit</th>
                    <th>Result</th>
                    <th></th>
                  </tr>
                </thead>
                ${lines.map(
                  (line) =>
                    html`<tr>
                      <td>${line.name}</td>
                      <td>${cell(line)}</td>
                      <td>${line.unit}</td>
                      <td><b>${line.value}</b></td>
                      <td class="f">${line.flag}</td>
                    </tr>`,
                )}
              </table>`,
        )}`,
    );
  },
};
