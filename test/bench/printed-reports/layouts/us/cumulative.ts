import type { Line } from '../../report/measure.ts';
import type { Report } from '../../report/report.ts';
import { formatDate } from '../../report/dates.ts';
import { span, units } from '../../report/style.ts';
import { html, htmlPage, type Markup } from '../html.ts';
import type { Layout } from '../layout.ts';

/** Adds three older results to a line, the youngest first. */
export function addHistory(report: Report, lines: readonly Line[], form: string): string[] {
  const steps = [95, 190, 371].map((days) => days + report.random.whole(-9, 9));
  const dates = steps.map((days) => formatDate(new Date(report.times.collected.getTime() - days * 86_400_000), form));
  for (const line of lines) {
    for (const title of dates) {
      const decimals = line.value.split('.')[1]?.length ?? 0;
      const value =
        line.numeric === null || report.random.chance(0.12) ? '' : (line.numeric * report.random.between(0.86, 1.14)).toFixed(decimals);
      if (value !== '') line.previous.push({ title, value });
    }
  }
  return dates;
}

function oldValue(line: Line, title: string): string {
  return line.previous.find((previous) => previous.title === title)?.value ?? '';
}

function grid(report: Report, newestFirst: boolean): { head: Markup[]; body: Markup[] } {
  const sections = [
    { title: 'Chemistry', lines: report.section('Chemistry', 'metabolic') },
    { title: 'Hematology', lines: report.section('Hematology', 'count') },
    { title: 'Lipids', lines: report.section('Lipids', ['cholesterol', 'hdl', 'triglycerides', 'ldl']) },
  ];
  const all = sections.flatMap(({ lines }) => lines);
  const form = newestFirst ? 'MM/DD/YY' : 'DD Mon YYYY';
  const dates = addHistory(report, all, form);
  const titles = [report.collected(form), ...dates];
  if (!newestFirst) titles.reverse();
  const body = sections.flatMap(({ title, lines }) => [
    html`<tr class="s">
      <td colspan=${titles.length + 3}>${title}</td>
    </tr>`,
    ...lines.map((line) => {
      const cells = [
        html`<td class=${line.side === 'inside' || line.side === null ? '' : 'x'}>
          ${line.value}${line.flag === null ? '' : ` ${line.flag}`}
        </td>`,
        ...dates.map((date) => html`<td>${oldValue(line, date)}</td>`),
      ];
      if (!newestFirst) cells.reverse();
      return newestFirst
        ? html`<tr>
            <td class="n">${line.name}</td>
            ${cells}
            <td>${line.unit}</td>
            <td>${line.range.text}</td>
          </tr>`
        : html`<tr>
            <td class="n">${line.name}</td>
            <td>${line.range.text}</td>
            <td>${line.unit}</td>
            ${cells}
          </tr>`;
    }),
  ]);
  const days = titles.map((title) => html`<th>${title}</th>`);
  const head = newestFirst
    ? [
        html`<th>Test</th>`,
        ...days,
        html`<th>Units</th>
          <th>Ref. Range</th>`,
      ]
    : [
        html`<th>Component</th>
          <th>Ref Range</th>
          <th>Units</th>`,
        ...days,
      ];
  return { head, body };
}

const css = `@page{size:Letter landscape;margin:11mm}body{font:10px 'Liberation Sans'}table{width:100%}th{background:#333;color:#fff;padding:3px 5px;text-align:right}td{border:1px solid #bbb;padding:2px 5px;text-align:right}th:first-child,td.n{text-align:left}.s td{background:#eee;text-align:left;font-weight:bold}.x{font-weight:bold;color:#c00}.h{display:flex;justify-content:space-between}`;

export const cumulativeNewestFirst: Layout = {
  id: 'us-cumulative-newest-first',
  country: 'us',
  engine: 'chromium',
  about: 'cumulative summary of a hospital, landscape; dates as titles, newest first; grid of cells',
  style: { nameVariant: 1, unit: units({ power: 'x10^' }), range: (limits) => span(limits, '-') },
  print(report) {
    const { head, body } = grid(report, true);
    return htmlPage(
      css,
      html`<div class="h">
          <div><b>${report.lab('Pinecrest Regional Medical Center')}</b><br />Cumulative Laboratory Summary</div>
          <div>
            ${report.name('LAST, FIRST')} &nbsp; ${report.sex('M', 'F')} / ${report.age()}y &nbsp; DOB ${report.dob('MM/DD/YYYY')}<br />${report.note(`MRN ${report.random.digits(8)}  Room 4-117B`)}
          </div>
        </div>
        <br />
        <table>
          <thead>
            <tr>
              ${head}
            </tr>
          </thead>
          <tbody>
            ${body}
          </tbody>
        </table>
        <p>H = high, L = low. Printed ${report.note(formatDate(report.times.reported, 'MM/DD/YYYY HH:mm'))}</p>`,
    );
  },
};

export const cumulativeOldestFirst: Layout = {
  ...cumulativeNewestFirst,
  id: 'us-cumulative-oldest-first',
  about: 'trend table of a clinic, landscape; dates as titles, the oldest first; ranges and units before the values',
  style: {
    nameVariant: 0,
    unit: units({ words: { '10*3/uL': 'K/uL', '10*6/uL': 'M/uL' } }),
    range: (limits) => span(limits, ' - '),
    flag: (side) => (side === 'inside' ? null : '*'),
  },
  print(report) {
    const { head, body } = grid(report, false);
    return htmlPage(
      css.replace('#333', '#2a5d8f'),
      html`<h2>Lab Trend Report</h2>
        <p>
          <b>Patient:</b> ${report.name('F L')} &emsp; <b>Birth date:</b> ${report.dob('MM-DD-YYYY')} &emsp;
          <b>Gender:</b> ${report.sex('Male', 'Female')} &emsp; <b>Provider:</b> ${report.patient.doctor}
        </p>
        <table>
          <thead>
            <tr>
              ${head}
            </tr>
          </thead>
          <tbody>
            ${body}
          </tbody>
        </table>
        <p>* outside the reference range</p>`,
    );
  },
};
