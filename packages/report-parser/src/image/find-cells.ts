import { findMarks, type Mark } from './find-marks.ts';
import type { Raster } from './raster.ts';

/** Marks on one line without a wide gap between them: the text of a table cell, or a part of a sentence. */
export interface TextCell {
  readonly marks: readonly Mark[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Height of its tall characters: of capitals and digits. */
  readonly height: number;
  readonly baseline: number;
}

/** Marks lower than this many inches are punctuation or dust. */
const characterMin = 0.03;
const characterMax = 0.6;
/** Marks with less ink, as a share of the square of the usual height, are dust; a full stop has about 0.02. */
const dustMax = 0.008;
/** A wider gap, in heights of characters, begins another cell; a space between the words of a typewriter's font is narrower. */
const gapMax = 1.3;
/** Marks narrower than this share of the usual height are points or remains of lines, not words. */
const narrow = 0.15;
/** A wider break, in heights of characters, separates two lines. */
const breakMax = 0.12;
/** A page with more is not text, and none of it is read. */
const marksMax = 20_000;

const heightOf = ({ top, bottom }: Mark) => bottom - top + 1;
const widthOf = ({ left, right }: Mark) => right - left + 1;
const quantile = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;

/** Marks that can be parts of characters, from left to right, and their usual height. */
function findCharacters(raster: Raster, dpi: number): { readonly marks: readonly Mark[]; readonly usual: number } {
  const marks = findMarks(raster).filter((mark) => heightOf(mark) < dpi * characterMax && widthOf(mark) < dpi * 3);
  const usual = quantile(
    marks.map(heightOf).filter((height) => height >= dpi * characterMin),
    0.5,
  );
  const isRest = (mark: Mark) => heightOf(mark) > usual * 2.5 && widthOf(mark) < heightOf(mark) * 0.12;
  const kept = marks.filter((mark) => mark.area >= usual * usual * dustMax && mark.area >= 4 && !isRest(mark));
  return { marks: kept.length > marksMax ? [] : kept.toSorted((a, b) => a.left - b.left), usual };
}

/** Whether two marks are on one line, or parts of one character, such as the loop below a broken g. */
function belongTogether(one: Mark, other: Mark, usual: number): boolean {
  const overlap = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) + 1;
  if (overlap >= Math.min(heightOf(one), heightOf(other)) * 0.5) return true;
  const shared = Math.min(one.right, other.right) - Math.max(one.left, other.left) + 1;
  return -overlap <= usual * breakMax && shared >= Math.min(widthOf(one), widthOf(other)) * 0.5;
}

/** Joins neighbouring marks into cells. */
export function findCells(raster: Raster, dpi: number): readonly TextCell[] {
  const { marks, usual } = findCharacters(raster, dpi);
  const parents = marks.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] ?? root;
    for (let at = index; at !== root;) [at, parents[at]] = [parents[at] ?? root, root];
    return root;
  };
  marks.forEach((mark, index) => {
    for (let next = index + 1; next < marks.length; next++) {
      const other = marks[next];
      const gap = (other?.left ?? 0) - mark.right;
      if (!other || gap > dpi * characterMax) break;
      if (gap <= Math.max(heightOf(mark), heightOf(other), usual) * gapMax && belongTogether(mark, other, usual))
        parents[rootOf(next)] = rootOf(index);
    }
  });
  const groups = Map.groupBy(marks, (_, index) => rootOf(index));
  return [...groups.values()]
    .filter((group) => group.some((mark) => widthOf(mark) >= usual * narrow))
    .map(toCell)
    .filter(({ height }) => height >= Math.max(dpi * characterMin, usual * 0.6));
}

function toCell(marks: readonly Mark[]): TextCell {
  const height = quantile(marks.map(heightOf), 0.85);
  const tall = marks.filter((mark) => heightOf(mark) >= height * 0.6);
  return {
    marks,
    left: Math.min(...marks.map(({ left }) => left)),
    top: Math.min(...marks.map(({ top }) => top)),
    right: Math.max(...marks.map(({ right }) => right)),
    bottom: Math.max(...marks.map(({ bottom }) => bottom)),
    height,
    baseline: quantile(
      tall.map(({ bottom }) => bottom),
      0.5,
    ),
  };
}
