import { readFlag } from '../values/interpret.ts';
import { readRange } from '../values/read-range.ts';
import { looksLikeValue } from '../values/read-value.ts';
import { looksLikeUnit } from '../values/units.ts';
import { toCells, type Line } from './lines.ts';
import { readRowWithoutColumns } from './row.ts';

/** Fewer lines with two results are a coincidence. */
const linesMin = 3;

/** Whether a text begins a result: it is a name and no field. */
const isName = (text: string) =>
  /^[a-z%(]*[a-z]{2}/i.test(text) && !looksLikeUnit(text) && readFlag(text) === undefined && !readRange(text) && !looksLikeValue(text);

/** Where a second column of results begins beside the first on a page without titles; undefined when there is none. */
export function secondColumnOf(lines: readonly Line[]): number | undefined {
  const starts = lines.flatMap((line) => {
    const cells = toCells(line);
    const at = cells.findIndex((_, index) => {
      if (index < 2) return false;
      const [left, right] = [cells.slice(0, index), cells.slice(index)].map((part) => part.flatMap(({ words }) => words));
      if (!isName(cells[index]?.text ?? '')) return false;
      return left && right && readRowWithoutColumns({ ...line, words: left }) && readRowWithoutColumns({ ...line, words: right });
    });
    const cell = cells[at];
    return cell ? [{ x: cell.x, height: line.height }] : [];
  });
  const best = starts
    .map((start) => starts.filter(({ x, height }) => Math.abs(x - start.x) < height))
    .toSorted((a, b) => b.length - a.length)[0];
  const [first] = best ?? [];
  return best && first && best.length >= linesMin ? Math.min(...best.map(({ x }) => x)) - first.height * 0.5 : undefined;
}
