import type { TextCell } from '../image/find-cells.ts';

export interface CellText {
  readonly cell: TextCell;
  readonly text: string;
}

const isNumber = (text: string) => /^[<>=([]{0,2}\d[\d.,–-]*[)\]%]?$/.test(text);
/** Values are shorter than this, in marks of ink. */
const marksMax = 8;
/** A column of numbers has at least this many, and they are at least this share of it. */
const numbersMin = 3;
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

/** The cells in columns of numbers that were read as something else, though not as words or flags. */
export function doubtfulNumbers<Read extends CellText>(cells: readonly Read[]): readonly Read[] {
  const isDoubtful = ({ cell, text }: CellText) =>
    cell.marks.length <= marksMax && text !== '' && !isNumber(text) && !/[a-z]{3}|[/%+]|^[HLAN]{1,2}$/i.test(text);
  return cells.filter((read) => {
    if (!isDoubtful(read)) return false;
    const column = cells.filter((other) => other !== read && areAligned(read.cell, other.cell));
    const numbers = column.filter(({ text }) => isNumber(text)).length;
    return numbers >= numbersMin && numbers >= column.length * shareMin;
  });
}

/** Whether a second reading, of digits only, may replace the first: it is a number with a digit for each tall mark of ink. */
export function isSupported(text: string, { marks, height }: TextCell): boolean {
  const tall = marks.filter(({ top, bottom }) => bottom - top + 1 >= height * 0.7).length;
  return isNumber(text) && text.replaceAll(/\D/g, '').length === tall - (text.match(/[<>()[\]]/g) ?? []).length;
}
