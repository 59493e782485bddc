import { letters, span, typeset, units } from '../../report/style.ts';
import { html, htmlPage } from '../html.ts';
import type { Layout } from '../layout.ts';

/** An accredited hospital: department bars, H and L in a column of their own, specimen of the panel in its title. */
export const accreditedHospital: Layout = {
  id: 'in-accredited-hospital',
  country: 'in',
  engine: 'chromium',
  about: 'accredited hospital; grid with department bars; columns Parameter, Method, Result, H/L, Units, Reference Interval by sex',
  style: {
    quantities: ['india', 'conventional'],
    unit: units({ micro: 'µ', power: 'caret' }),
    range: (limits, sexes) =>
      sexes === null
        ? span(limits, ' - ', typeset)
        : `M: ${span(sexes.male, ' - ', typeset) ?? ''}, F: ${span(sexes.female, ' - ', typeset) ?? ''}`,
    flag: letters('H', 'L', { abnormal: 'A' }),
    notMeasured: ['Sample Rejected'],
  },
  print(report) {
    const groups = (
      [
        ['DEPARTMENT OF HAEMATOLOGY', 'COMPLETE BLOOD COUNT , WHOLE BLOOD EDTA', 'countIndia'],
        ['DEPARTMENT OF BIOCHEMISTRY', 'RENAL PROFILE , SERUM', 'renalIndia'],
        ['DEPARTMENT OF IMMUNOLOGY', 'HORMONES AND MARKERS , SERUM', ['tsh', 'ft4', 'vitaminD', 'b12', 'psa', 'crp', 'ige']],
      ] as const
    ).map(([department, title, panel]) => ({ department, title, lines: report.section(title, panel) }));
    return htmlPage(
      `@page{size:A4;margin:12mm}body{font:10px 'Liberation Sans'}h1{font-size:17px;text-align:center;margin:0;color:#1a4f8b}table{width:100%}.r td,.r th{border:1px solid #777;padding:3px 5px}.d{background:#1a4f8b;color:#fff;text-align:center;font-weight:bold;padding:3px;margin-top:9px}.x{font-weight:bold}.k td{padding:2px 6px;border:1px solid #bbb}.s{font-size:8.5px}`,
      html`<h1>${report.lab('Vindhya Superspeciality Hospital')}</h1>
        <p class="s" style="text-align:center">
          ${report.note('NABL Accredited MC-9999 | Sector 44, Bhilaipur, CG 490999 | 0788-4999999')}
        </p>
        <table class="k">
          <tr>
            <td>Patient Name</td>
            <td><b>${report.name('TITLE F L')}</b></td>
            <td>IP/OP No</td>
            <td>${report.note(`OP${report.random.digits(6)}`)}</td>
          </tr>
          <tr>
            <td>Age / Sex</td>
            <td>${report.age()} Year(s) / ${report.sex('Male', 'Female')}</td>
            <td>Sample Collected</td>
            <td>${report.collected('DD/MM/YYYY HH:mm')}</td>
          </tr>
          <tr>
            <td>Consultant</td>
            <td>${report.patient.doctor}</td>
            <td>Report Date</td>
            <td>${report.reported('DD/MM/YYYY HH:mm')}</td>
          </tr>
        </table>
        ${groups.map(
          ({ department, title, lines }) =>
            html`<div class="d">${department}</div>
              <p><b>${title}</b></p>
              <table class="r">
                <tr>
                  <th>Parameter</th>
                  <th>Method</th>
                  <th>Result</th>
                  <th>H/L</th>
                  <th>Units</th>
                  <th>Reference Interval</th>
                </tr>
                ${lines.map(
                  (line) =>
                    html`<tr>
                      <td>${line.name}</td>
                      <td class="s">${line.analyte.method}</td>
                      <td class=${line.flag === null ? '' : 'x'}>${line.value}</td>
                      <td class="x">${line.flag}</td>
                      <td>${line.unit}</td>
                      <td>${line.range.text}</td>
                    </tr>`,
                )}
              </table>`,
        )}
        <p class="s">${report.note('Note: PSA 4 - 10 ng/mL is a grey zone. Reports are not valid for medico-legal purposes.')}</p>`,
      {
        footer: html`<div style="font:7px Arial;width:100%;text-align:center">
          Page <span class="pageNumber"></span> of <span class="totalPages"></span>
        </div>`,
      },
    );
  },
};

/** The summary of a booking app: a coloured word first, then the name, the value at the right, the range under it. */
export const bookingApp: Layout = {
  id: 'in-booking-app',
  country: 'in',
  engine: 'chromium',
  about: 'smart report of a booking app; tiles in three columns; value in large type, "Ref:" below, coloured words Normal, High, Low',
  style: {
    quantities: ['conventional', 'india'],
    nameVariant: 1,
    name: (_, analyte) => analyte.names.in[1] ?? analyte.names.in[0] ?? analyte.key,
    unit: units({ micro: 'µ' }),
    range: (limits) => span(limits, ' - ', { below: '< ', above: '> ', atMost: '≤ ', atLeast: '≥ ' }),
    flag: letters('High', 'Low', { inside: 'Normal', abnormal: 'Abnormal' }),
    unitWithoutValue: false,
    notMeasured: ['NA'],
  },
  print(report) {
    const groups = (
      [
        ['Liver', 'liverIndia'],
        ['Kidney', ['urea', 'creatinine', 'urate', 'sodium', 'potassium']],
        ['Lipid', 'lipidIndia'],
        ['Sugar', ['glucose', 'a1c']],
        ['Thyroid', ['t3', 't4', 'tsh']],
      ] as const
    ).map(([title, panel]) => ({ title, lines: report.section(title, panel) }));
    return htmlPage(
      `@page{size:A4;margin:11mm}body{font:10px 'DejaVu Sans'}h1{font-size:18px;margin:0;color:#e4572e}h2{font-size:13px;margin:12px 0 5px}.g{display:grid;grid-template-columns:repeat(3,1fr);gap:7px}.c{background:#f6f6fa;border-left:4px solid #4caf50;padding:7px 9px;break-inside:avoid}.o{border-color:#e4572e}.w{font-size:8px;font-weight:bold;color:#2e7d32}.o .w{color:#c62828}.v{font-size:15px;font-weight:bold}.r{font-size:8.5px;color:#555}`,
      html`<h1>${report.lab('Sehat Saathi Labs')}</h1>
        <p>
          Smart Health Report of <b>${report.name('F L')}</b>, ${report.age()} years, ${report.sex('Male', 'Female')}. Sample collected on
          ${report.collected('DD Mon YYYY, hh:mm A')}. ${report.note(`Booking ID ${report.random.digits(9)}`)}
        </p>
        ${groups.map(
          ({ title, lines }) =>
            html`<h2>${title}</h2>
              <div class="g">
                ${lines.map(
                  (line) =>
                    html`<div class="c ${line.side === 'inside' || line.side === null ? '' : 'o'}">
                      <div class="w">${line.flag}</div>
                      <div>${line.name}</div>
                      <div class="v">${line.value} <small>${line.notMeasured ? '' : line.unit}</small></div>
                      <div class="r">${line.range.text === null ? '' : `Ref: ${line.range.text}`}</div>
                    </div>`,
                )}
              </div>`,
        )}
        <p class="r">${report.note('Your health score: 78 out of 100. Next check-up in 6 months.')}</p>`,
    );
  },
};
