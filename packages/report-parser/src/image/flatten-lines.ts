import type { TextCell } from './find-cells.ts';
import type { Mark } from './find-marks.ts';
import { solveLeastSquares } from './solve-least-squares.ts';

/** Where the baseline of a cell would be if the paper were flat and seen from above, in pixels. */
export interface FlatLines {
  readonly baselineOf: (cell: TextCell) => number;
  /** Whether a bent page leaves cells between two lines, so that names and values cannot be paired surely. */
  readonly isAmbiguous: boolean;
}

/** Lines of a page that bends less, in heights of characters, are straight enough. */
const bendMin = 0.3;
/**
 * Cells of one line are closer together than the first of these, and lines further apart than the second, in sizes of the font; a cell in
 * between may belong to either.
 */
const [sameLine, otherLine] = [0.35, 0.65];
/** Capitals are this share of the size of a font. */
const capitals = 0.7;

/** The slope of a line at a place of the page, whose sides are from -1 to 1: lines converge in perspective and bend on curled paper. */
const terms = (x: number, y: number) => [1, x, y, x * y, x * x];
const ridge = [1e-7, 1e-3, 1e-3, 1e-3, 1e-3];
/** A cell must be this many characters wide to have a slope. */
const wideMin = 2.5;
/** Marks whose slopes are compared; a long line has more. */
const marksMax = 60;
/** Steps in which a line is followed across the page. */
const steps = 24;

const heightOf = ({ top, bottom }: Mark) => bottom - top + 1;
const middleOf = ({ left, right }: Mark) => (left + right) / 2;
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** The slope of a cell's baseline: the median slope between the lower ends of its tall marks, as descenders are the minority. */
function slopeOf({ marks, height }: TextCell): number | undefined {
  const tall = marks.filter((mark) => heightOf(mark) >= height * 0.6 && heightOf(mark) <= height * 1.15).slice(0, marksMax);
  const slopes: number[] = [];
  for (const [index, one] of tall.entries())
    for (const other of tall.slice(index + 1)) {
      const run = middleOf(other) - middleOf(one);
      if (run >= height * 1.5) slopes.push((other.bottom - one.bottom) / run);
    }
  return slopes.length >= 3 ? median(slopes) : undefined;
}

/** Follows the lines of a photographed page by the slopes of its cells. Linear in the number of cells. */
export function flattenLines(
  cells: readonly TextCell[],
  { width, height }: { readonly width: number; readonly height: number },
): FlatLines {
  const samples = cells.flatMap((cell) => {
    const [wide, slope] = [cell.right - cell.left, slopeOf(cell)];
    if (slope === undefined || wide < cell.height * wideMin) return [];
    const [x, y] = [(cell.left + cell.right) / width - 1, (2 * cell.baseline) / height - 1];
    return [{ terms: terms(x, y), value: slope, weight: Math.min(wide / cell.height, 12) ** 2 }];
  });
  const slope = solveLeastSquares(samples, ridge);
  const slopeAt = (x: number, y: number) =>
    terms((2 * x) / width - 1, (2 * y) / height - 1).reduce((sum, term, index) => sum + term * (slope[index] ?? 0), 0);
  const start = Math.min(width, ...cells.map(({ left }) => left));
  const baselineOf = (cell: TextCell): number => {
    let [x, y] = [(cell.left + cell.right) / 2, cell.baseline];
    const step = (start - x) / steps;
    for (let count = 0; count < steps; count++, x += step) y += step * slopeAt(x + step / 2, y);
    return y;
  };
  const flat = new Map(cells.map((cell) => [cell, baselineOf(cell)]));
  const moves = cells.map((cell) => ((flat.get(cell) ?? 0) - cell.baseline) / Math.max(1, cell.height));
  if (moves.length === 0 || Math.max(...moves) - Math.min(...moves) < bendMin)
    return { baselineOf: ({ baseline }) => baseline, isAmbiguous: false };
  const size = median(cells.map((cell) => cell.height)) / capitals;
  const sorted = [...flat.values()].toSorted((a, b) => a - b);
  const isAmbiguous = sorted.some((y, index) => {
    const gap = y - (sorted[index - 1] ?? y);
    return gap > size * sameLine && gap < size * otherLine;
  });
  return { baselineOf: (cell) => flat.get(cell) ?? cell.baseline, isAmbiguous };
}
