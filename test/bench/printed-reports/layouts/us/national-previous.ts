import { letters, span, units } from '../../report/style.ts';
import { html, htmlPage } from '../html.ts';
import type { Layout } from '../layout.ts';

/** A national laboratory that prints the last result and its date between the new one and its unit. */
export const nationalPrevious: Layout = {
  id: 'us-national-previous',
  country: 'us',
  engine: 'chromium',
  about: 'national laboratory; columns Current Result and Flag, Previous Result and Date, Units, Reference Interval; several pages',
  style: {
    nameVariant: 1,
    unit: units({ power: 'x10E' }),
    range: (limits) => (limits.strict && limits.low !== null ? `>${limits.lowText}` : span(limits, '-')),
    flag: letters('High', 'Low', { criticalHigh: 'Alert High', criticalLow: 'Alert Low', abnormal: 'Abnormal' }),
    notMeasured: ['Test not performed', 'QNS', 'See Note:'],
  },
  print(report) {
    const before = '01/17/2022';
    const block = (title: string, lines: ReturnType<typeof report.section>) =>
      html`<h3>${title}</h3>
        <table>
          <thead>
            <tr>
              <th>Test</th>
              <th>Current Result and Flag</th>
              <th>Previous Result and Date</th>
              <th>Units</th>
              <th>Reference Interval</th>
            </tr>
          </thead>
          <tbody>
            ${lines.map((line) => {
              const hasPrevious = line.numeric !== null && report.random.chance(0.6);
              const old =
                hasPrevious && line.numeric !== null
                  ? (line.numeric * report.random.between(0.85, 1.15)).toFixed(line.value.split('.')[1]?.length ?? 0)
                  : '';
              if (hasPrevious) line.previous.push({ title: before, value: old });
              return html`<tr class=${line.flag === null ? '' : 'f'}>
                  <td>${line.name}<sup>${line.analyte.key === 'egfr' ? '' : '01'}</sup></td>
                  <td class="v"><span>${line.value}</span><span class="g">${line.flag}</span></td>
                  <td>${old}&emsp;${hasPrevious ? before : ''}</td>
                  <td>${line.unit}</td>
                  <td>${line.range.text}</td>
                </tr>
                ${
                  line.analyte.key === 'a1c'
                    ? html`<tr>
                        <td colspan="5" class="c">
                          <pre>
${report.note('         Prediabetes: 5.7 - 6.4\n         Diabetes: >6.4\n         Glycemic control for adults with diabetes: <7.0')}</pre>
                        </td>
                      </tr>`
                    : ''
                }`;
            })}
          </tbody>
        </table>`;
    return htmlPage(
      `@page{size:Letter;margin:30mm 13mm 22mm}body{font:9.5px 'Liberation Sans'}h3{background:#e9e9e9;font-size:11px;margin:10px 0 2px;padding:3px 5px}table{width:100%;table-layout:fixed}th{text-align:left;font-size:8.5px;border-bottom:1px solid #000;padding:2px}
       th:first-child{width:30%}td{padding:2.4px 2px;vertical-align:top}sup{font-size:6px;margin-left:3px}.v span{display:inline-block;min-width:52px}.f .v{font-weight:bold}.g{color:#b00}.c pre{margin:0;font:8.5px 'Liberation Mono'}
       .p{display:grid;grid-template-columns:1.2fr 1fr 1fr;gap:10px;border-bottom:1px solid #000;padding-bottom:6px;line-height:1.5}.lab{font-weight:bold;font-size:16px;letter-spacing:1px}`,
      html`<div class="p">
          <div>
            <span class="lab">${report.lab('Corvane Laboratories')}</span><br /><b>Patient: ${report.name('LAST, FIRST')}</b><br />DOB:
            ${report.dob('MM/DD/YYYY')}<br />Age: ${report.age()}&emsp;Sex: ${report.sex('Male', 'Female')}<br />${report.note(`Patient ID: ${report.patient.number}`)}
          </div>
          <div>
            ${report.note(`Specimen ID: ${report.random.digits(3)}-${report.random.digits(3)}-${report.random.digits(4)}-0`)}<br />Ordering
            Physician: ${report.patient.doctor}<br />${report.note(`NPI: 1${report.random.digits(9)}`)}
          </div>
          <div>
            Date Collected: ${report.collected('MM/DD/YYYY HHmm')} Local<br />Date Received: ${report.received('MM/DD/YYYY')}<br />Date
            Reported: ${report.reported('MM/DD/YYYY HHmm')} ET<br />Fasting: Yes
          </div>
        </div>
        <p><b>Ordered Items:</b> Comp. Metabolic Panel (14); Lipid Panel; CBC With Differential/Platelet; Hemoglobin A1c; TSH+Free T4</p>
        ${block('Comp. Metabolic Panel (14)', report.section('Comp. Metabolic Panel (14)', 'metabolic'))}
        ${block('Lipid Panel', report.section('Lipid Panel', ['cholesterol', 'triglycerides', 'hdl', 'vldl', 'ldlCalc', 'cholRatio']))}
        ${block('CBC With Differential/Platelet', report.section('CBC With Differential/Platelet', ['wbc', 'rbc', 'hemoglobin', 'hematocrit', 'mcv', 'mch', 'mchc', 'rdw', 'platelets', 'neutrophilsPercent', 'lymphocytesPercent', 'monocytesPercent', 'eosinophilsPercent', 'basophilsPercent', 'neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils']))}
        ${block('Hemoglobin A1c', report.section('Hemoglobin A1c', ['a1c']))}
        ${block('TSH+Free T4', report.section('TSH+Free T4', ['tsh', 'ft4']))}
        <p><b>Disclaimer</b><br />The previous result is listed for comparison only. Results in bold are outside of the interval.</p>
        <p>
          <b>Performing Labs</b
          ><br />${report.note('01: CN - Corvane Birmingfield, 1447 Alder Court, Birmingfield, NC 27999-3361 Dir: Ina Stroud, MD. For inquiries, call 800-555-0113')}
        </p>`,
      {
        header: html`<div style="font:8px Arial;width:100%;padding:4mm 13mm;display:flex;justify-content:space-between">
          <b style="font-size:15px">corvane</b><span>Patient Report</span>
        </div>`,
        footer: html`<div
          style="font:7px Arial;width:100%;padding:0 13mm;display:flex;justify-content:space-between;border-top:1px solid #000"
        >
          <span>Final Report</span><span>Date Created and Stored 02/02/25 0915 ET</span
          ><span>Page <span class="pageNumber"></span> of <span class="totalPages"></span></span>
        </div>`,
      },
    );
  },
};
