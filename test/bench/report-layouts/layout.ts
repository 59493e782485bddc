import type { Country, DrawnReport, DrawnRow } from './draw.ts';
import { dayText, rangeText } from './html.ts';

export interface Layout {
  readonly name: string;
  readonly country: Country;
  /** Whether results stand in a table with titles; others are lines, cards or letters. */
  readonly kind: 'table' | 'other';
  readonly panels?: number;
  readonly print: (report: DrawnReport) => string;
  /** What the layout prints of a row; without it everything. */
  readonly printed?: (row: DrawnRow) => DrawnRow;
}

export const across = (columns: number) => (title: string) => `<tr><td colspan="${columns}"><b>${title}</b></td></tr>`;
export const sex = ({ patient }: DrawnReport) => (patient.sex === 'M' ? 'Male' : 'Female');
export const collected = (report: DrawnReport) => dayText(report, report.days[0] ?? [2026, 1, 1]);

export function usHead(report: DrawnReport): string {
  return `<h2>Example Regional Laboratory</h2><table><tr><td>Patient: ${report.patient.name}</td><td>Collected: ${collected(report)}</td></tr><tr><td>Sex: ${report.patient.sex} &nbsp; Age: ${report.patient.age}</td><td>Specimen ID: Z90817</td></tr></table><hr>`;
}

export function indiaHead(report: DrawnReport): string {
  return `<div style="text-align:center;font-size:17px"><b>EXAMPLE DIAGNOSTICS PVT LTD</b></div><table><tr><td>Name : ${report.patient.name}</td><td>Collection Date : ${collected(report)} 08:12</td></tr><tr><td>Age/Sex : ${report.patient.age} Yr/${report.patient.sex}</td><td>Sample ID : 40031192</td></tr></table><hr>`;
}

export function ukHead(report: DrawnReport): string {
  return `<p><b>Example Hospitals Pathology</b></p><p>${report.patient.name}, ${sex(report)}, collected ${collected(report)}</p>`;
}

export const ranged = (row: DrawnRow) => rangeText(row, ' - ', '< ', '> ');
