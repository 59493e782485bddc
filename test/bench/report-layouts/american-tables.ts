import type { DrawnRow } from './draw.ts';
import { dayText, flagOf, page, rangeText, table } from './html.ts';
import { across, usHead, type Layout } from './layout.ts';

/** Tables as laboratories in the United States print them. */
export const americanTables: readonly Layout[] = [
  {
    name: 'reference-interval',
    country: 'us',
    kind: 'table',
    print: (report) =>
      page(
        'td,th{border-bottom:1px dotted #999}',
        usHead(report) +
          table(
            report,
            ['Tests', 'Result', 'Flag', 'Units', 'Reference Interval'],
            (row) => [
              row.test_name + ' <sup>01</sup>',
              row.value,
              flagOf(row) === '' ? '' : flagOf(row) === 'H' ? 'High' : 'Low',
              row.units ?? '',
              rangeText(row),
            ],
            across(5),
          ),
      ),
  },
  {
    name: 'in-and-out-of-range',
    country: 'us',
    kind: 'table',
    print: (report) =>
      page(
        '',
        usHead(report) +
          table(
            report,
            ['Test Name', 'In Range', 'Out Of Range', 'Reference Range', 'Lab'],
            (row) => [
              row.test_name.toUpperCase(),
              row.side === 'inside' ? row.value : '',
              row.side === 'inside' ? '' : `<b>${row.value} ${flagOf(row)}</b>`,
              `${rangeText(row)} ${row.units}`,
              'EX',
            ],
            across(5),
          ),
      ),
  },
  {
    name: 'component-and-standard-range',
    country: 'us',
    kind: 'table',
    print: (report) =>
      page(
        'td,th{padding:7px 4px;border-bottom:1px solid #ddd}body{font:13px Verdana,sans-serif}',
        usHead(report) +
          table(
            report,
            ['Component', 'Your Value', 'Standard Range', 'Flag'],
            (row) => [row.test_name, `${row.value} ${row.units}`, `${rangeText(row, ' - ')} ${row.units}`, flagOf(row)],
            across(4),
          ),
      ),
    panels: 2,
  },
  {
    name: 'dates-newest-first',
    country: 'us',
    kind: 'table',
    print: (report) => {
      const earlier = (row: DrawnRow, factor: number) => (Number(row.value) * factor).toFixed(row.value.split('.')[1]?.length ?? 0);
      return page(
        'th{background:#eee}',
        usHead(report) +
          table(
            report,
            ['Test', 'Units', 'Reference Range', ...report.days.map((day) => dayText(report, day))],
            (row) => [row.test_name, row.units ?? '', rangeText(row), row.value, earlier(row, 0.93), earlier(row, 1.12)],
            across(6),
          ),
      );
    },
  },
  {
    name: 'previous-column',
    country: 'us',
    kind: 'table',
    print: (report) =>
      page(
        '',
        usHead(report) +
          table(
            report,
            ['Analyte', 'Current Result', 'Previous Result', 'Units', 'Reference Range'],
            (row) => [
              row.test_name,
              `${row.value} ${flagOf(row)}`,
              (Number(row.value) * 1.04).toFixed(1),
              row.units ?? '',
              rangeText(row, ' to '),
            ],
            across(5),
          ),
      ),
  },
  {
    name: 'right-aligned',
    country: 'us',
    kind: 'table',
    print: (report) =>
      page(
        'td:nth-child(2),th:nth-child(2){text-align:right}td:nth-child(4){text-align:center}body{font:9px "Times New Roman",serif}',
        usHead(report) +
          table(
            report,
            ['Procedure', 'Value', 'Units', 'Normal Range'],
            (row) => [row.test_name, `${row.side === 'inside' ? '' : '*'}${row.value}`, row.units ?? '', `[${rangeText(row)}]`],
            across(4),
          ),
      ),
  },
  {
    name: 'two-tables',
    country: 'us',
    kind: 'table',
    panels: 2,
    print: (report) =>
      page(
        'body{font:9px Arial}.half{width:48%;float:left;margin-right:2%}',
        usHead(report) +
          report.panels
            .map(
              (panel) =>
                `<div class="half">${table(
                  { ...report, panels: [panel] },
                  ['Test', 'Result', 'Units', 'Range'],
                  (row) => [row.test_name, row.value, row.units ?? '', rangeText(row)],
                  () => '',
                )}</div>`,
            )
            .join(''),
      ),
  },
];
