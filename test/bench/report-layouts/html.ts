import type { DrawnReport, DrawnRow } from './draw.ts';

export const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');

/** A day as the country prints it. */
export function dayText({ country }: DrawnReport, [year, month, day]: readonly [number, number, number]): string {
  if (country === 'us') return `${two(month)}/${two(day)}/${year}`;
  return country === 'uk' ? `${two(day)}/${two(month)}/${year}` : `${two(day)}-${months[month - 1]}-${year}`;
}

/** A range as text; `between` separates its bounds. */
export function rangeText({ low, high }: DrawnRow, between = '-', below = '<', above = '>='): string {
  if (low !== null && high !== null) return `${low}${between}${high}`;
  return escapeHtml(low === null ? `${below}${high}` : `${above}${low}`);
}

const marks = { inside: '', high: 'H', low: 'L' } as const;
export const flagOf = ({ side }: DrawnRow): string => marks[side];

export const page = (style: string, body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><style>@page{size:Letter;margin:14mm}body{margin:0;font:10.5px Arial,sans-serif;color:#000}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:3px 6px;vertical-align:top}${style}</style></head><body>${body}</body></html>`;

/** A table with a title row for each group. */
export function table(
  report: DrawnReport,
  columns: readonly string[],
  cells: (row: DrawnRow) => readonly string[],
  title: (text: string) => string,
): string {
  const head = `<tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr>`;
  const groups = report.panels.map(
    (panel) =>
      title(panel.title) +
      panel.rows
        .map(
          (row) =>
            `<tr>${cells(row)
              .map((cell) => `<td>${cell}</td>`)
              .join('')}</tr>`,
        )
        .join(''),
  );
  return `<table>${head}${groups.join('')}</table>`;
}
