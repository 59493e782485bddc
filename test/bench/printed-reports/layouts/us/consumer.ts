import { letters, span, typeset, units } from '../../report/style.ts';
import { html, htmlPage } from '../html.ts';
import type { Layout } from '../layout.ts';

/** Tests sold to consumers: the name, below it the status, the value and a bar; no table at all. */
export const consumerDashboard: Layout = {
  id: 'us-consumer-dashboard',
  country: 'us',
  engine: 'chromium',
  about: 'dashboard for consumers; name, next line status and value; optimal range as a sentence; bar; two cards in a row',
  style: {
    unit: units({ micro: 'µ', power: 'superscript' }),
    range: (limits) => span(limits, '–', typeset),
    flag: letters('Above Range', 'Below Range', { abnormal: 'Out of Range', inside: 'In Range' }),
    notMeasured: ['No result'],
  },
  print(report) {
    const groups = (
      [
        ['Heart', ['cholesterol', 'hdl', 'ldl', 'triglycerides', 'apob', 'lpa', 'hscrp']],
        ['Metabolic', ['glucose', 'a1c', 'insulin', 'urate']],
        ['Thyroid', ['tsh', 'ft4', 'ft3']],
        ['Nutrients', ['vitaminD', 'ferritin', 'b12', 'magnesium']],
      ] as const
    ).map(([title, panel]) => ({ title, lines: report.section(title, panel) }));
    const outside = groups.flatMap(({ lines }) => lines).filter(({ side }) => side === 'low' || side === 'high').length;
    return htmlPage(
      `@page{size:Letter;margin:12mm}body{font:11px 'DejaVu Sans';color:#1d1d2b}h1{font-size:22px;margin:0}h2{font-size:14px;margin:14px 0 6px;color:#6541b5}.g{display:grid;grid-template-columns:1fr 1fr;gap:8px}.c{border:1px solid #ddd;border-radius:8px;padding:8px 10px;break-inside:avoid}.n{font-weight:bold}.s{font-size:10px;margin:3px 0}.v{font-size:16px;font-weight:bold}.in{color:#1a7f4b}.out{color:#c2412d}.b{height:5px;border-radius:3px;background:linear-gradient(90deg,#f3c5bd 20%,#bfe5cf 20% 80%,#f3c5bd 80%);margin:5px 0}.r{font-size:9px;color:#666}`,
      html`<h1>${report.lab('Lumen & Oak')}</h1>
        <p>
          Hi ${report.name('F L')}, born ${report.dob('MM/DD/YYYY')}. Your ${report.collected('MONTH D, YYYY')} draw is ready.
          ${report.note(`${outside} of 18 biomarkers are outside their range.`)}
        </p>
        ${groups.map(
          ({ title, lines }) =>
            html`<h2>${title}</h2>
              <div class="g">
                ${lines.map(
                  (line) =>
                    html`<div class="c">
                      <div class="n">${line.name}</div>
                      <div class="s ${line.side === 'inside' ? 'in' : 'out'}">
                        ${line.flag === null ? '' : `${line.flag} · `}<span class="v">${line.value}</span>
                        ${line.notMeasured ? '' : line.unit}
                      </div>
                      <div class="b"></div>
                      <div class="r">
                        ${line.range.text === null ? '' : `Reference range: ${line.range.text}${line.unit === null ? '' : ` ${line.unit}`}`}
                      </div>
                    </div>`,
                )}
              </div>`,
        )}
        <p class="r">${report.note('Reviewed by a physician in your state. Not for emergencies: call 911.')}</p>`,
    );
  },
};

/** Two tables beside each other, with short titles. */
export const twoColumns: Layout = {
  id: 'us-two-columns',
  country: 'us',
  engine: 'chromium',
  about: 'summary on one page: two tables side by side; Test, Result, Range; values outside bold and red without a flag',
  style: {
    nameVariant: 1,
    unit: units({ words: { '10*3/uL': 'K/uL', '10*6/uL': 'M/uL' } }),
    range: (limits) => span(limits, '-'),
    flag: () => null,
    emphasis: 'colour',
    unitWithoutValue: false,
    notMeasured: ['--'],
  },
  print(report) {
    const table = (title: string, panel: Parameters<typeof report.section>[1]) =>
      html`<table>
        <tr>
          <th colspan="3">${title}</th>
        </tr>
        ${report.section(title, panel).map(
          (line) =>
            html`<tr>
              <td>${line.name}</td>
              <td class=${line.emphasis === null ? 'v' : 'v x'}>
                ${line.value}${line.notMeasured || line.unit === null ? '' : ` ${line.unit}`}
              </td>
              <td>${line.range.text}</td>
            </tr>`,
        )}
      </table>`;
    return htmlPage(
      `@page{size:Letter;margin:10mm}body{font:8.5px 'Liberation Sans'}.p{display:flex;gap:14px}.p>div{flex:1}table{width:100%;margin-bottom:9px}th{background:#005a5b;color:#fff;text-align:left;padding:3px}td{padding:2px 3px;border-bottom:1px solid #ccc}.v{font-weight:normal;white-space:nowrap}.x{color:#d00000;font-weight:bold}h1{font-size:16px;margin:0 0 4px}`,
      html`<h1>${report.lab('Northgate Concierge Medicine')} <small>Lab Snapshot</small></h1>
        <p>
          ${report.name('F L')} &bull; DOB ${report.dob('M/D/YYYY')} &bull; ${report.sex('Male', 'Female')} &bull; drawn
          ${report.collected('M/D/YYYY')} &bull; ${report.note(`Member ${report.random.digits(6)}`)}
        </p>
        <div class="p">
          <div>
            ${table('Metabolic', 'metabolic')}${table('Lipids', ['cholesterol', 'ldl', 'hdl', 'triglycerides', 'nonHdl'])}${table('Diabetes', ['a1c', 'insulin'])}
          </div>
          <div>
            ${table('Blood Count', 'countAbsolute')}${table('Thyroid', 'thyroid')}${table('Vitamins & Iron', ['vitaminD', 'b12', 'folate', 'ferritin', 'iron'])}
          </div>
        </div>`,
    );
  },
};

/** A lipid specialist: three columns of risk, the value in the one that holds; the limits of the columns are no ranges of the patient. */
export const lipidRisk: Layout = {
  id: 'us-lipid-risk',
  country: 'us',
  engine: 'chromium',
  about: 'specialist for lipids; value in the column of its risk (Optimal, Borderline, High); limits printed in the cells of a grid',
  style: {
    unit: units({ micro: 'µ' }),
    range: (limits) => span(limits, '-', typeset),
    flag: () => null,
    emphasis: 'position',
    notMeasured: ['TNP'],
  },
  print(report) {
    const groups = (
      [
        ['Lipid Panel', ['cholesterol', 'ldlDirect', 'hdl', 'triglycerides', 'nonHdl']],
        ['Lipoprotein Particles', ['ldlp', 'smallLdlp', 'hdlp', 'apob', 'apoa1', 'lpa']],
        ['Inflammation', ['hscrp', 'homocysteine']],
        ['Metabolic', ['glucose', 'insulin', 'a1c', 'tsh', 'vitaminD']],
      ] as const
    ).map(([title, panel]) => ({ title, lines: report.section(title, panel) }));
    const previous = report.random.chance(0.5);
    return htmlPage(
      `@page{size:Letter;margin:12mm}body{font:10px Carlito}h1{margin:0;color:#7b1113;font-size:20px}table{width:100%;margin-top:8px}th{background:#7b1113;color:#fff;padding:4px;font-size:10px}td{border:1px solid #aaa;padding:3px 6px;text-align:center;height:24px}td:first-child{text-align:left}.g td{background:#e8dede;font-weight:bold}.o{background:#e2f2e2}.h{background:#f8dada}.v{font-weight:bold;font-size:12px}.l{font-size:8px;color:#444}`,
      html`<h1>${report.lab('Halcyon HeartLab')}</h1>
        <p>
          Patient: <b>${report.name('LAST, FIRST')}</b> &emsp; DOB: ${report.dob('MM/DD/YYYY')} &emsp; Sex: ${report.sex('M', 'F')} &emsp;
          Collected: ${report.collected('MM/DD/YYYY HH:mm')} &emsp; Reported: ${report.reported('MM/DD/YYYY HH:mm')} &emsp; Fasting: 12 hrs
        </p>
        <table>
          <thead>
            <tr>
              <th style="width:34%">Test Name</th>
              <th>Optimal / In Range</th>
              <th>Out of Range</th>
              <th>Units</th>
              <th>Reference</th>
              ${previous ? html`<th>Previous</th>` : ''}
            </tr>
          </thead>
          ${groups.map(
            ({ title, lines }) =>
              html`<tr class="g">
                  <td colspan="6">${title}</td>
                </tr>
                ${lines.map((line) => {
                  const out = line.side === 'low' || line.side === 'high';
                  const old =
                    line.numeric === null
                      ? ''
                      : (line.numeric * report.random.between(0.9, 1.12)).toFixed(line.value.split('.')[1]?.length ?? 0);
                  if (previous && old !== '') line.previous.push({ title: 'Previous', value: old });
                  return html`<tr>
                    <td>${line.name}</td>
                    <td class="o v">${out ? '' : line.value}</td>
                    <td class="h v">${out ? line.value : ''}</td>
                    <td>${line.unit}</td>
                    <td class="l">${line.range.text}</td>
                    ${previous ? html`<td>${old}</td>` : ''}
                  </tr>`;
                })}`,
          )}
        </table>
        <p class="l">${report.note('Relative risk by quartile: LDL-P <935 (25th), 1000-1299 (50th), >1600 nmol/L (75th percentile).')}</p>`,
    );
  },
};
