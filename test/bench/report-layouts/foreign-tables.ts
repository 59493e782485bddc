import type { DrawnRow } from './draw.ts';
import { dayText, page, rangeText, table } from './html.ts';
import { across, indiaHead, ranged, ukHead, type Layout } from './layout.ts';

/** Tables as laboratories in India and the United Kingdom print them. */
export const foreignTables: readonly Layout[] = [
  {
    name: 'dates-oldest-first',
    country: 'india',
    kind: 'table',
    print: (report) => {
      const earlier = (row: DrawnRow, factor: number) => (Number(row.value) * factor).toFixed(row.value.split('.')[1]?.length ?? 0);
      return page(
        '',
        indiaHead(report) +
          table(
            report,
            ['Investigation', ...report.days.toReversed().map((day) => dayText(report, day)), 'Unit', 'Ref. Range'],
            (row) => [row.test_name, earlier(row, 1.09), earlier(row, 0.9), row.value, row.units ?? '', ranged(row)],
            across(6),
          ),
      );
    },
  },
  {
    name: 'biological-reference',
    country: 'india',
    kind: 'table',
    print: (report) =>
      page(
        'th{border:1px solid #000}i{font-size:8px}',
        indiaHead(report) +
          table(
            report,
            ['TEST NAME', 'RESULT', 'UNIT', 'BIOLOGICAL REF. INTERVAL'],
            (row) => [
              `${row.test_name}<br><i>Method : Photometry</i>`,
              row.side === 'inside' ? row.value : `<b>${row.value}</b>`,
              row.units ?? '',
              ranged(row),
            ],
            (title) => `<tr><td colspan="4" style="text-align:center"><b><u>${title}</u></b></td></tr>`,
          ),
      ),
  },
  {
    name: 'technology',
    country: 'india',
    kind: 'table',
    print: (report) =>
      page(
        '',
        indiaHead(report) +
          table(
            report,
            ['TEST NAME', 'TECHNOLOGY', 'VALUE', 'UNITS', 'NORMAL RANGE'],
            (row) => [row.test_name.toUpperCase(), 'E.C.L.I.A', row.value, row.units ?? '', ranged(row)],
            across(5),
          ),
      ),
  },
  {
    name: 'ranges-by-sex',
    country: 'india',
    kind: 'table',
    print: (report) => {
      const other = (bound: string | null) => (bound === null ? null : (Number(bound) * 0.9).toFixed(bound.split('.')[1]?.length ?? 0));
      const both = (row: DrawnRow) => {
        const [own, others] = [ranged(row), ranged({ ...row, low: other(row.low), high: other(row.high) })];
        return report.patient.sex === 'M' ? `M: ${own} F: ${others}` : `M: ${others} F: ${own}`;
      };
      return page(
        '',
        indiaHead(report) +
          table(
            report,
            ['Parameter', 'Observed Value', 'Unit', 'Reference Range'],
            (row) => [row.test_name, row.value, row.units ?? '', both(row)],
            across(4),
          ),
      );
    },
  },
  {
    name: 'tables-below',
    country: 'india',
    kind: 'table',
    panels: 2,
    print: (report) =>
      page(
        '',
        indiaHead(report) +
          table(
            report,
            ['Test', 'Value', 'Unit', 'Reference'],
            (row) => [row.test_name, row.value, row.units ?? '', ranged(row)],
            across(4),
          ) +
          '<p>Interpretation:</p><table><tr><td>Desirable</td><td>&lt; 200</td><td>mg/dL</td></tr><tr><td>Borderline High</td><td>200 - 239</td><td>mg/dL</td></tr><tr><td>Very High</td><td>&gt; 500</td><td>mg/dL</td></tr><tr><td>Children 1-12 years</td><td>0.7 - 6.4</td><td>mIU/L</td></tr></table><p>Dr. A. Example, MD Pathology, Reg. No. 40213</p>',
      ),
  },
  {
    name: 'value-with-arrow',
    country: 'uk',
    kind: 'table',
    print: (report) =>
      page(
        'td,th{border:1px solid #aaa}',
        ukHead(report) +
          table(
            report,
            ['Test', 'Result', 'Units', 'Range'],
            (row) => [row.test_name, `${row.side === 'inside' ? '' : '* '}${row.value}`, row.units ?? '', `(${rangeText(row, ' - ')})`],
            across(4),
          ),
      ),
  },
  {
    name: 'units-in-value',
    country: 'uk',
    kind: 'table',
    print: (report) =>
      page(
        'body{font:11px Georgia,serif}',
        ukHead(report) +
          table(
            report,
            ['Investigation', 'Result', 'Reference range'],
            (row) => [row.test_name, `${row.value} ${row.units}`, rangeText(row, '–')],
            across(3),
          ),
      ),
  },
];
