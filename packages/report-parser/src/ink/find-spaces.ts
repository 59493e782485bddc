import type { TextCell } from '../image/find-cells.ts';
import type { Mark } from '../image/find-marks.ts';

/** The blank columns between two words of a cell, both inclusive. */
export interface Space {
  readonly left: number;
  readonly right: number;
}

/**
 * Fonts whose usual gap is wider, in heights of characters, are a typewriter's: all characters have the same width, and gaps beside points
 * are wide.
 */
const typewriterMin = 0.15;
/** A space between words is at least this wide, in heights of characters. */
const spaceMin = { usual: 0.33, typewriter: 0.8 };
/** The same for gaps in which OCR read a space. */
const possibleMin = { usual: 0.15, typewriter: 0.6 };

/** A digit `1` has blank columns on both sides, as digits are equally wide. In heights of characters: widths of its ink and of a digit. */
const one = { narrowest: 0.25, widest: 0.45, digit: 0.7 };

/** The blank columns, in pixels, that belong to a mark instead of the gap beside it. */
function ownBlank({ left, right, top, bottom }: Mark | undefined = nothing, { height, baseline }: TextCell): number {
  const width = (right - left + 1) / height;
  const share = (bottom - top + 1) / height;
  // Brackets end below the baseline.
  const isOne =
    share >= 0.93 && share <= 1.05 && Math.abs(bottom - baseline) <= height * 0.08 && width >= one.narrowest && width <= one.widest;
  return isOne ? ((one.digit - width) / 2) * height : 0;
}

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

const nothing: Mark = { left: 0, right: 0, top: 0, bottom: 0, area: 0 };
const widthOf = ({ left, right }: Space) => right - left + 1;

const quantile = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;

/** Distances between the middles of neighbouring characters differ by at most this share of the usual one in a typewriter's font. */
const pitchMax = 0.22;

/** Whether the characters of a page are equally wide: most are at the same distance from each other. */
function hasOnePitch(cells: readonly TextCell[]): boolean {
  const distances = cells.flatMap(({ marks, height }) => {
    // Points and broken parts are no characters.
    const tall = marks.filter(({ top, bottom }) => bottom - top + 1 >= height * 0.6).toSorted((a, b) => a.left - b.left);
    return tall
      .slice(1)
      .map(({ left, right }, index) => (left + right - (tall[index]?.left ?? 0) - (tall[index]?.right ?? 0)) / 2 / height);
  });
  return quantile(distances, 0.75) - quantile(distances, 0.25) <= quantile(distances, 0.5) * pitchMax;
}

/**
 * The width of the usual gap between two characters of a page, in heights of characters; at most that of other fonts if the characters are
 * not equally wide, as in fonts that are only set wide.
 */
export function usualGap(cells: readonly TextCell[]): number {
  const width = quantile(
    cells.flatMap((cell) => gapsOf(cell).map((gap) => widthOf(gap) / cell.height)),
    0.5,
  );
  return hasOnePitch(cells) ? width : Math.min(width, typewriterMin);
}

/** The gaps of a cell that are wide enough to be spaces between words. `usual` is the result of `usualGap` for the page. */
export function findSpaces(cell: TextCell, usual: number): readonly Space[] {
  return gapsFrom(cell, usual > typewriterMin ? spaceMin.typewriter : spaceMin.usual);
}

/** The gaps of a cell where a space that OCR read may be. */
export function findPossibleSpaces(cell: TextCell, usual: number): readonly Space[] {
  return gapsFrom(cell, usual > typewriterMin ? possibleMin.typewriter : possibleMin.usual);
}

/** The gaps of at least `least` heights of characters. */
function gapsFrom(cell: TextCell, least: number): readonly Space[] {
  return gapsOf(cell).filter((gap) => {
    const [before, after] = [cell.marks.find(({ right }) => right === gap.left - 1), cell.marks.find(({ left }) => left === gap.right + 1)];
    return widthOf(gap) - ownBlank(before, cell) - ownBlank(after, cell) >= least * cell.height;
  });
}
