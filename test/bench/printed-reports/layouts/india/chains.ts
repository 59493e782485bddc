import { span, spacedSigns, thousands, thousandsOf, units } from '../../report/style.ts';
import { html, htmlPage, raised } from '../html.ts';
import type { Layout } from '../layout.ts';

/** A big chain of India: method in small type under each name, ranges as "Bio. Ref. Interval", bold for what is outside. */
export const chainWithMethods: Layout = {
  id: 'in-chain-methods',
  country: 'in',
  engine: 'chromium',
  about: 'diagnostic chain; columns Test Name, Results, Units, Bio. Ref. Interval; method under the name in brackets; bold values',
  style: {
    quantities: ['conventional', 'india'],
    unit: units({ power: 'x10^', words: { '10*3/uL': 'thou/mm3', '10*6/uL': 'mill/mm3' } }),
    range: (limits) => span(limits, ' - ', spacedSigns),
    flag: () => null,
    emphasis: 'bold',
    notMeasured: ['Not Performed', 'Sample Insufficient'],
    name: (text, analyte) => analyte.names.in[0] ?? text,
  },
  print(report) {
    const groups = [
      {
        title: 'COMPLETE BLOOD COUNT; CBC',
        lines: report.section('COMPLETE BLOOD COUNT; CBC', [
          ...'hemoglobin hematocrit rbc mcv mch mchc rdw wbc'.split(' '),
          ...'neutrophilsPercent lymphocytesPercent monocytesPercent eosinophilsPercent basophilsPercent platelets'.split(' '),
        ]),
      },
      {
        title: 'LIVER & KIDNEY PANEL, SERUM',
        lines: report.section(
          'LIVER & KIDNEY PANEL, SERUM',
          [
            'creatinine',
            'egfr',
            'urea',
            'bun',
            'urate',
            'ast',
            'alt',
            'ggt',
            'alp',
            'bilirubin',
            'bilirubinDirect',
            'bilirubinIndirect',
            'protein',
            'albumin',
            'agRatio',
          ],
          { specimen: 'SERUM' },
        ),
      },
      { title: 'LIPID SCREEN, SERUM', lines: report.section('LIPID SCREEN, SERUM', 'lipidIndia', { specimen: 'SERUM' }) },
    ];
    const notes = [
      '1. As per the recommendation of international councils, differential counts are additionally being reported as absolute numbers.',
      '2. Test conducted on EDTA whole blood.',
    ].map((text) => report.note(text));
    const risk = [
      ['Optimal', '<100', '<150'],
      ['Borderline High', '130 - 159', '150 - 199'],
      ['High', '160 - 189', '200 - 499'],
    ];
    report.note('Optimal <100 <150 Borderline High 130 - 159 150 - 199 High 160 - 189 200 - 499');
    return htmlPage(
      `@page{size:A4;margin:10mm 12mm 24mm}body{font:10.5px Carlito}.t{border:1px solid #000;display:flex;justify-content:space-between;padding:5px;line-height:1.5}table.r{width:100%;margin-top:6px}th{border-top:1px solid #000;border-bottom:1px solid #000;text-align:left;padding:3px}td{padding:1.6px 3px;vertical-align:top}.g{font-weight:bold;padding-top:8px}.m{font-size:8.5px;color:#333}.x{font-weight:bold}h1{font-size:20px;margin:0 0 6px;color:#8a1f2b}.k{font-size:9px}.k td,.k th{border:1px solid #777;padding:2px 6px}`,
      html`<h1>${report.lab('Navjyoti PathLabs')}</h1>
        <div class="t">
          <div>
            Name &emsp;&emsp;: <b>${report.name('TITLE FIRST LAST')}</b><br />Lab No. &emsp;: ${report.note(report.random.digits(9))}<br />Ref
            By &emsp;&ensp;: ${report.patient.doctor}<br />Collected : ${report.collected('D/M/YYYY h:mm:00A')}<br />A/c Status : P
          </div>
          <div>
            Age: ${report.age()} Years &emsp; Gender: ${report.sex('Male', 'Female')}<br />Reported :
            ${report.reported('D/M/YYYY h:mm:00A')}<br />Report Status : Final<br />${report.note('Processed at: NPL-HOME LAB, Block E, Sector 98, Delhi 110999')}
          </div>
        </div>
        <table class="r">
          <thead>
            <tr>
              <th style="width:47%">Test Name</th>
              <th>Results</th>
              <th>Units</th>
              <th>Bio. Ref. Interval</th>
            </tr>
          </thead>
          <tbody>
            ${groups.map(
              ({ title, lines }) =>
                html`<tr>
                    <td class="g" colspan="4">${title}</td>
                  </tr>
                  ${lines.map(
                    (line) =>
                      html`<tr>
                        <td>${line.name}${line.analyte.method === null ? '' : html`<div class="m">(${line.analyte.method})</div>`}</td>
                        <td class=${line.emphasis === null ? '' : 'x'}>${line.value}</td>
                        <td>${line.unit}</td>
                        <td>${line.range.text}</td>
                      </tr>`,
                  )}`,
            )}
          </tbody>
        </table>
        <p class="k"><b>Note</b><br />${notes.map((text) => html`${text}<br />`)}</p>
        <table class="k">
          <tr>
            <th>REMARKS</th>
            <th>LDL CHOLESTEROL in mg/dL</th>
            <th>TRIGLYCERIDE in mg/dL</th>
          </tr>
          ${risk.map(
            (cells) =>
              html`<tr>
                ${cells.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </table>
        <p><b>Dr Malini Raghuvanshi</b><br />MD (Pathology)<br />Chief of Laboratory</p>`,
      {
        footer: html`<div style="font:7px Arial;width:100%;padding:0 12mm;border-top:1px solid #000">
          If Test results are alarming or unexpected, client is advised to contact the laboratory immediately. Tel: 011-4999-0000 &emsp;
          Page <span class="pageNumber"></span> of <span class="totalPages"></span>
        </div>`,
      },
    );
  },
};

/** A wellness laboratory: the technology in a column of its own, value and unit beside it, ranges under the row. */
export const wellnessTechnology: Layout = {
  id: 'in-wellness-technology',
  country: 'in',
  engine: 'chromium',
  about: 'wellness laboratory; columns Test Name, Technology, Value, Units, Bio. Ref. Interval in capitals; a page for each profile',
  style: {
    quantities: ['india', 'conventional'],
    nameVariant: 1,
    name: (text) => text.toUpperCase(),
    unit: units({ micro: 'µ', power: 'superscript', words: { '10*6/uL': 'X 10⁶/µL', '/cumm': 'cells/cumm' } }),
    value: thousands,
    range: (limits) => span(thousandsOf(limits), '-', spacedSigns),
    flag: () => null,
    emphasis: 'colour',
    notMeasured: ['Not Done'],
  },
  print(report) {
    const technology: Record<string, string> = { CMIA: 'C.M.I.A', CLIA: 'C.L.I.A', HPLC: 'H.P.L.C' };
    const pages = [
      { title: 'THYROID PROFILE', lines: report.section('THYROID PROFILE', 'thyroidIndia') },
      {
        title: 'VITAMIN AND IRON PROFILE',
        lines: report.section('VITAMIN AND IRON PROFILE', ['vitaminD', 'b12', 'iron', 'tibc', 'ironSaturation', 'ferritin']),
      },
      { title: 'LIVER', lines: report.section('LIVER', 'liverIndia') },
      { title: 'COMPLETE HEMOGRAM', lines: report.section('COMPLETE HEMOGRAM', 'countIndia') },
    ];
    const head = () =>
      html`<div class="h">
        <div>
          <b class="l">${report.lab('AROHAN WELLNESS LABS')}</b><br />NAME :
          <b>${report.name('FIRST LAST')} (${report.age()}Y/${report.sex('M', 'F')})</b><br />REF. BY : SELF<br />TEST ASKED : AROHAN HEALTH
          A
        </div>
        <div>
          REPORT RELEASED ON : ${report.reported('DD Mon YYYY HH:mm')}<br />SAMPLE COLLECTED ON :
          ${report.collected('DD Mon YYYY HH:mm')}<br />${report.note('HOME COLLECTION : H NO 12-7-99 VIDYA NAGAR HYDERABAD 500999')}
        </div>
      </div>`;
    return htmlPage(
      `@page{size:A4;margin:10mm 12mm}body{font:10px 'DejaVu Sans'}section{break-after:page}.h{display:flex;justify-content:space-between;font-size:9px;border-bottom:2px solid #c33;padding-bottom:5px;line-height:1.6}.l{font-size:16px;color:#c33}h2{font-size:12px;text-align:center;margin:12px 0 4px}table{width:100%}th{background:#f3d9d9;font-size:9px;text-align:left;padding:4px}td{padding:5px 4px;border-bottom:1px dotted #999}.x{color:#d00}.c{font-size:8px;line-height:1.5}`,
      html`${pages.map(
        ({ title, lines }) =>
          html`<section>
            ${head()}
            <h2>${title}</h2>
            <table>
              <thead>
                <tr>
                  <th>TEST NAME</th>
                  <th>TECHNOLOGY</th>
                  <th>VALUE</th>
                  <th>UNITS</th>
                  <th>Bio. Ref. Interval</th>
                </tr>
              </thead>
              <tbody>
                ${lines.map(
                  (line) =>
                    html`<tr>
                      <td>${line.name}</td>
                      <td>
                        ${technology[line.analyte.method ?? ''] ?? (line.analyte.method === 'Calculated' ? 'CALCULATED' : 'PHOTOMETRY')}
                      </td>
                      <td class=${line.emphasis === null ? '' : 'x'}><b>${line.value}</b></td>
                      <td>${raised(line.unit)}</td>
                      <td>${line.range.text}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
            <p class="c">
              <b>Please correlate with clinical conditions.</b
              ><br />${report.note(`Method : FULLY AUTOMATED. Sample Type : SERUM. Labcode : ${report.random.digits(10)}/AW03`)}<br />Dr
              Tejaswini Hegde MD(Path) &emsp; Dr Om Prakash Sethia MD(Path)
            </p>
          </section>`,
      )}`,
    );
  },
};
