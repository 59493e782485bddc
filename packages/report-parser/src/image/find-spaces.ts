import type { TextCell } from './find-cells.ts';

/** The blank columns between two words of a cell, both inclusive. */
export interface Space {
  readonly left: number;
  readonly right: number;
}

/** A space between words is at least this wide, in heights of characters. */
const spaceMin = 0.36;
/** In fonts with wide gaps between characters, such as a typewriter's, a space is this many times as wide as the usual gap. */
const gapsMin = 2.5;

/** The blank columns between the marks of a cell, from left to right. */
function gapsOf({ marks }: TextCell): readonly Space[] {
  const gaps: Space[] = [];
  let end: number | undefined;
  for (const { left, right } of marks.toSorted((a, b) => a.left - b.left)) {
    if (end !== undefined && left > end + 1) gaps.push({ left: end + 1, right: left - 1 });
    end = Math.max(end ?? right, right);
  }
  return gaps;
}

const widthOf = ({ left, right }: Space) => right - left + 1;

/** The width of the usual gap between two characters of a page, in heights of characters. */
export function usualGap(cells: readonly TextCell[]): number {
  const widths = cells.flatMap((cell) => gapsOf(cell).map((gap) => widthOf(gap) / cell.height)).toSorted((a, b) => a - b);
  return widths[widths.length >> 1] ?? 0;
}

/** The gaps of a cell that are wide enough to be spaces between words. `usual` is the result of `usualGap` for the page. */
export function findSpaces(cell: TextCell, usual: number): readonly Space[] {
  const least = cell.height * Math.max(spaceMin, usual * gapsMin);
  return gapsOf(cell).filter((gap) => widthOf(gap) >= least);
}
