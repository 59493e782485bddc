import { units, letters, span, questionable } from '../../report/style.ts';
import { html, htmlPage } from '../html.ts';
import type { Layout } from '../layout.ts';

/** A national laboratory: in-range and out-of-range results in columns of their own. */
export const nationalInOut: Layout = {
  id: 'us-national-in-out',
  country: 'us',
  engine: 'chromium',
  about: 'national laboratory; columns In Range and Out of Range; names in capitals; "> OR = 60"',
  style: {
    name: (text) => text.toUpperCase(),
    unit: units({ words: { '10*3/uL': 'Thousand/uL', '10*6/uL': 'Million/uL', 'mL/min/1.73m2': 'mL/min/1.73m2' } }),
    range: (limits) => span(limits, '-', questionable),
    flag: letters('H', 'L'),
    notMeasured: ['TNP', 'QUANTITY NOT SUFFICIENT'],
  },
  print(report) {
    const lab = report.lab('Harborline Diagnostics');
    const sections = [
      {
        title: 'LIPID PANEL, STANDARD',
        lines: report.section('LIPID PANEL, STANDARD', ['cholesterol', 'hdl', 'triglycerides', 'ldlCalc', 'cholRatio', 'nonHdl']),
      },
      { title: 'COMPREHENSIVE METABOLIC PANEL', lines: report.section('COMPREHENSIVE METABOLIC PANEL', 'metabolic') },
      { title: 'CBC (INCLUDES DIFF/PLT)', lines: report.section('CBC (INCLUDES DIFF/PLT)', 'countAbsolute') },
    ];
    const comment = report.note(
      'Desirable range <100 mg/dL for primary prevention; <70 mg/dL for patients with CHD or diabetic patients with > or = 2 CHD risk factors.',
    );
    const rows = sections
      .map(({ title, lines }) => [
        html`<tr>
          <td colspan="5" class="t">${title}</td>
        </tr>`,
        ...lines.map((line) => {
          const out = line.flag !== null;
          const value = `${line.value}${out ? ` ${line.flag}` : ''}`;
          return html`<tr>
              <td class="n">${line.name}</td>
              <td>${out ? '' : value}</td>
              <td class="o">${out ? value : ''}</td>
              <td>${[line.range.text, line.unit].filter(Boolean).join(' ')}</td>
              <td>${line.notMeasured ? '' : 'HL'}</td>
            </tr>
            ${
              line.analyte.key === 'ldlCalc'
                ? html`<tr>
                    <td></td>
                    <td colspan="4" class="c">${comment}</td>
                  </tr>`
                : ''
            }`;
        }),
      ])
      .flat();
    return htmlPage(
      `@page{size:Letter;margin:14mm 12mm 18mm}body{font:9.5px Arial,'Liberation Sans'}.h{display:flex;justify-content:space-between;border-bottom:2px solid #246;padding-bottom:6px}
       .h b{font-size:19px;color:#246}.g{display:grid;grid-template-columns:1fr 1fr 1fr;border:1px solid #888;margin:8px 0}.g div{padding:5px 7px;border-right:1px solid #888;line-height:1.5}
       table{width:100%}th{background:#dde6ef;text-align:left;padding:3px 4px;border-bottom:1px solid #246}td{padding:1.6px 4px;vertical-align:top}.t{font-weight:bold;padding-top:7px}.n{padding-left:12px;width:36%}.o{font-weight:bold}.c{font-size:8px;color:#333;padding-bottom:3px}`,
      html`<div class="h">
          <b>${lab}</b><span>Report Status: Final<br />${report.note(`Client #: ${report.random.digits(8)}`)}</span>
        </div>
        <div class="g">
          <div>
            <b>Patient Information</b><br /><b>${report.name('LAST, FIRST')}</b><br />DOB: ${report.dob('MM/DD/YYYY')} &nbsp; AGE:
            ${report.age()}<br />Gender: ${report.sex('M', 'F')}<br />Phone: ${report.note('555.0142.77')}
          </div>
          <div>
            <b>Specimen Information</b><br />Specimen: ${report.note(`HL${report.random.digits(6)}K`)}<br />Requisition:
            ${report.note(report.random.digits(7))}<br />Collected: ${report.collected('MM/DD/YYYY / HH:mm')} EDT<br />Received:
            ${report.received('MM/DD/YYYY / HH:mm')} EDT<br />Reported: ${report.reported('MM/DD/YYYY / HH:mm')} EDT
          </div>
          <div>
            <b>Client Information</b><br />${report.patient.doctor}<br />Saltmarsh Family Practice<br />${report.note('4417 Juniper Bend Rd Ste 210')}<br />${report.note('Eastvale, OH 44999')}
          </div>
        </div>
        <table>
          <thead>
            <tr>
              <th>Test Name</th>
              <th>In Range</th>
              <th>Out Of Range</th>
              <th>Reference Range</th>
              <th>Lab</th>
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
        <p>
          <b>PERFORMING SITE:</b
          ><br />${report.note('HL HARBORLINE DIAGNOSTICS-EASTVALE, 900 LANTERN WAY, EASTVALE, OH 44999-1200 Laboratory Director: P. ROSENQVIST, MD, CLIA: 36D0999999')}
        </p>`,
      {
        footer: html`<div style="font:7px Arial;width:100%;padding:0 12mm;display:flex;justify-content:space-between">
          <span>CLIENT SERVICES: 555.0100.200</span><span>SPECIMEN REPORT</span
          ><span>PAGE <span class="pageNumber"></span> OF <span class="totalPages"></span></span>
        </div>`,
      },
    );
  },
};
