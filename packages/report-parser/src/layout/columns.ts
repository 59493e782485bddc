import type { Word } from '../model/page.ts';
import type { Column, ColumnKind } from './header.ts';
import { rightOf, toCell, toCells, type Cell, type Line } from './lines.ts';

/** Texts of a line by column; empty for columns without text. */
export type RowTexts = Readonly<Record<ColumnKind, string>>;

const distance = (cell: Cell, column: Column) =>
  Math.min(
    Math.abs(cell.x - column.x),
    Math.abs(cell.right - column.right),
    Math.abs((cell.x + cell.right) / 2 - (column.x + column.right) / 2),
  );

/** A word that starts within this distance of a column, in font heights, belongs to it even without a gap before it. */
const aligned = 0.12;

/** Splits a cell where a column starts inside it, because words of neighbouring columns can be close together. */
function cut(cell: Cell, columns: readonly Column[], height: number): readonly Cell[] {
  for (const column of columns) {
    if (column.x <= cell.x + height || column.x >= cell.right) continue;
    const at = cell.words.findIndex((word) => Math.abs(word.x - column.x) < height * 0.5);
    const [left, right] = [cell.words.slice(0, at), cell.words.slice(at)];
    const [end, start] = [left.at(-1), right[0]];
    const isColumnStart = end && start && (Math.abs(start.x - column.x) < height * aligned || start.x - rightOf(end) > height * 0.5);
    if (at > 0 && isColumnStart) return [toCell(left), ...cut(toCell(right), columns, height)];
  }
  return [cell];
}

/** Splits a word where a name touches the number in the next column: `URINE12`. */
function splitTouching(word: Word, columns: readonly Column[], height: number): readonly Word[] {
  const [, name = '', number = ''] = /^([a-z()%]{2,})([<>]?\d[\d.]*)$/i.exec(word.text) ?? [];
  if (name === '') return [word];
  // Positions inside a word are estimated.
  const end = word.x + (word.width * name.length) / word.text.length;
  const column = columns.find(({ kind, x, right }) => kind === 'value' && end > x - height * 0.5 && end < right && x > word.x);
  if (!column) return [word];
  return [
    { ...word, text: name, width: column.x - word.x },
    { ...word, text: number, x: column.x, width: word.x + word.width - column.x },
  ];
}

/** Assigns the cells of a line to columns. Values are often right-aligned or centred, so any edge may match. */
export function assignColumns(line: Line, columns: readonly Column[]): RowTexts {
  const texts: Record<ColumnKind, string> = { name: '', value: '', flag: '', unit: '', range: '', low: '', high: '', other: '' };
  const words = line.words.flatMap((word) => splitTouching(word, columns, line.height));
  for (const cell of toCells({ ...line, words }).flatMap((whole) => cut(whole, columns, line.height))) {
    const [nearest] = columns.toSorted((a, b) => distance(cell, a) - distance(cell, b));
    if (nearest) texts[nearest.kind] = texts[nearest.kind] === '' ? cell.text : `${texts[nearest.kind]} ${cell.text}`;
  }
  return { ...texts, range: texts.range || rangeOfLimits(texts) };
}

/** The range of limits in columns of their own. */
function rangeOfLimits({ low, high }: RowTexts): string {
  if (low !== '' && high !== '') return `${low} - ${high}`;
  return low === '' ? high && `<= ${high}` : `>= ${low}`;
}
