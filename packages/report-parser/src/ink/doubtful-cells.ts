import type { TextCell } from '../image/find-cells.ts';
import { isPoint } from './restore-signs.ts';
import { canonicalUnit } from '../values/units.ts';

export interface CellText {
  readonly cell: TextCell;
  readonly text: string;
  /** Dashes that the ink shows. */
  readonly dashes: number;
}

const isNumber = (text: string) => /^[<>=([]{0,2}\d[\d.,–-]*[)\]%]?$/.test(text);
/** A word, a unit, a titer or a flag. */
const isWord = (text: string) => /[a-zA-Z]{3}|[/%+]|^[HLA]{1,2}$/.test(text);
const isUnit = (text: string) => /[a-z%]/i.test(text) && canonicalUnit(text) !== undefined;
/** Values, ranges and units are shorter than this, in marks of ink. */
const marksMax = 14;
/** A column of numbers or units has at least this many, and they are at least this share of it. */
const columnMin = 3;
const shareMin = 0.6;

/** Whether two cells are in one column: their edges or their middles are in line. */
function areAligned(one: TextCell, other: TextCell): boolean {
  const most = one.height * 0.5;
  return (
    Math.abs(one.left - other.left) <= most ||
    Math.abs(one.right - other.right) <= most ||
    Math.abs(one.left + one.right - other.left - other.right) <= most
  );
}

/** The short cells that are doubtful, in columns whose other cells are mostly as expected. */
function inColumns<Read extends CellText>(
  cells: readonly Read[],
  isDoubtful: (read: Read) => boolean,
  isExpected: (text: string) => boolean,
): readonly Read[] {
  return cells.filter((read) => {
    if (read.cell.marks.length > marksMax || !isDoubtful(read)) return false;
    const column = cells.filter((other) => other !== read && areAligned(read.cell, other.cell));
    const expected = column.filter(({ text }) => isExpected(text)).length;
    return expected >= columnMin && expected >= column.length * shareMin;
  });
}

/** The tall marks of a cell; undefined when some are too wide for one character. */
function tallMarks({ marks, height }: TextCell): number | undefined {
  const tall = marks.filter(({ top, bottom }) => bottom - top + 1 >= height * 0.7);
  return tall.every(({ left, right }) => right - left + 1 <= height * 0.85) ? tall.length : undefined;
}

/** Characters as tall as digits; a percent sign is several marks. */
const tallCharacters = (text: string) => text.replaceAll(/[^\d<>()[\]]/g, '').length;

/** Whether the ink of a number has another number of digits, or a dash that the text lacks. */
function disagrees({ cell, text, dashes }: CellText): boolean {
  if (text.includes('%')) return false;
  const points = cell.marks.filter((mark) => isPoint(mark, cell)).length;
  if (points > (text.match(/[.,]/g) ?? []).length) return true;
  const tall = tallMarks(cell);
  return tall === undefined ? dashes > 0 && !/\d[–-]\d/.test(text) : tall !== tallCharacters(text);
}

/** The cells in columns of numbers that were read as something else, though not as words or flags, or that disagree with their ink. */
export const doubtfulNumbers = <Read extends CellText>(cells: readonly Read[]): readonly Read[] =>
  inColumns(cells, (read) => (isNumber(read.text) ? disagrees(read) : read.text !== '' && !isWord(read.text)), isNumber);

/** Whether a second reading, of digits only, may replace the first: it is a number that agrees with its ink. */
export const isSupportedNumber = (read: CellText): boolean => isNumber(read.text) && !disagrees(read);

/** The cells in columns of units that are none. */
export const doubtfulUnits = <Read extends CellText>(cells: readonly Read[]): readonly Read[] =>
  inColumns(cells, ({ text }) => /^[a-z/%]/i.test(text) && !isUnit(text), isUnit);

/** Whether a second reading of a unit may replace the first. */
export const isSupportedUnit = ({ text }: Pick<CellText, 'text'>): boolean => isUnit(text);
