import { escapeHtml, flagOf, page, rangeText } from './html.ts';
import { ukHead, usHead, type Layout } from './layout.ts';

/** Lines of text, cards and blocks. */
export const otherLayouts: readonly Layout[] = [
  {
    name: 'inline-brackets',
    country: 'uk',
    kind: 'other',
    print: (report) =>
      page(
        'p{margin:4px 0}',
        ukHead(report) +
          report.panels
            .map(
              (panel) =>
                `<p><b>${panel.title}</b></p>${panel.rows.map((row) => `<p>${row.test_name}: ${row.value} ${row.units} (Normal: ${rangeText(row, ' - ', '< ', '> ')})</p>`).join('')}`,
            )
            .join(''),
      ),
  },
  {
    name: 'cards',
    country: 'us',
    kind: 'other',
    panels: 2,
    print: (report) =>
      page(
        '.card{margin:9px 0}',
        `<p>My Health - Dashboard</p>${report.panels.map((panel) => panel.rows.map((row) => `<div class="card"><div>${row.test_name}</div><div>${row.side === 'inside' ? 'In Range' : row.side === 'high' ? 'Above Range' : 'Below Range'} · ${row.value} ${escapeHtml(row.units ?? '')}</div></div>`).join('')).join('')}`,
      ),
    printed: (row) => ({ ...row, min_reference_range: null, max_reference_range: null }),
  },
  {
    name: 'labelled-blocks',
    country: 'us',
    kind: 'other',
    panels: 1,
    print: (report) =>
      page(
        '.card{margin:14px 0}',
        usHead(report) +
          report.panels
            .map((panel) =>
              panel.rows
                .map(
                  (row) =>
                    `<div class="card"><div><b>${row.test_name}</b></div><div>Your value: ${row.value} ${row.units}</div><div>Normal range: ${rangeText(row, ' - ')} ${row.units}</div></div>`,
                )
                .join(''),
            )
            .join(''),
      ),
  },
  {
    name: 'no-titles',
    country: 'us',
    kind: 'other',
    print: (report) =>
      page(
        'body{font:10px "Courier New",monospace}',
        usHead(report) +
          report.panels
            .map(
              (panel) =>
                `<p>${panel.title}</p><table>${panel.rows.map((row) => `<tr><td style="width:45%">${row.test_name}</td><td>${row.value} ${flagOf(row)}</td><td>${rangeText(row)}</td><td>${row.units}</td></tr>`).join('')}</table>`,
            )
            .join(''),
      ),
  },
];
