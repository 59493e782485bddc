import { count, type Narrator } from '../client/narrator.ts';
import type { SourceReport } from './wait-for-others.ts';

const resourcesShown = 5;
const failureMax = 300;

function shorten(resources: readonly string[]): string {
  const shown = resources.slice(0, resourcesShown).join(', ');
  return resources.length > resourcesShown ? `${shown} and ${resources.length - resourcesShown} more` : shown;
}

function stateOf({ arrived, failure }: SourceReport): string {
  if (failure !== null) return `FAILED: ${failure.slice(0, failureMax)}`;
  if (arrived === null || arrived.resources.length === 0) return 'no data yet';
  const { windowsEnded, windowsTotal, windowsGivenUp } = arrived;
  const open = windowsEnded < windowsTotal ? ` (${windowsEnded} of ${windowsTotal} windows so far)` : '';
  const lost = windowsGivenUp > 0 ? ` (${windowsGivenUp} of ${windowsTotal} windows given up)` : '';
  return `${shorten(arrived.resources)}${open}${lost}`;
}

/** Prints a line for each source: its user, how it was linked, and what has arrived. */
export function printSources(narrator: Narrator, reports: readonly SourceReport[]): void {
  const header = ['source', 'user', 'linked by', 'samples', 'summaries', 'resources'];
  const rows = reports.map((report) => {
    const { source, arrived } = report;
    const number = (value: number | undefined) => (value === undefined ? '-' : count(value));
    return [source.name, source.clientUserId, source.how, number(arrived?.samples), number(arrived?.summaries), stateOf(report)];
  });
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const isNumber = (column: number) => column === 3 || column === 4;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        if (isNumber(column)) return cell.padStart(width);
        return column === cells.length - 1 ? cell : cell.padEnd(width);
      })
      .join('  ');
  for (const row of [header, ...rows]) narrator.say(`  ${line(row)}`);
  for (const { source } of reports) if (source.note !== undefined) narrator.say(`  ${source.name}: ${source.note}`);
}
