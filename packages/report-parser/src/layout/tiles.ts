import { isNumber } from '../values/read-value.ts';
import { canonicalUnit } from '../values/units.ts';
import { rangeOfText, readRowBelowName } from './free-rows.ts';
import { toCells, type Cell, type Line } from './lines.ts';
import type { ResultRow } from './row.ts';
import { rowConfidence } from './row-confidence.ts';

/** Tiles side by side begin at the same place in each of their lines, within this many font heights. */
const aligned = 1.5;
/** The lines of a tile are at most this many font heights apart. */
const apartMax = 3.5;

export interface Tile {
  readonly row: ResultRow;
  /** The positions of its lines. */
  readonly lines: readonly number[];
}

const lineOf = (line: Line, { words }: Cell): Line => ({ ...line, words });
const isName = ({ text }: Cell) => /[a-z]{2}/i.test(text) && text.length <= 48 && !/^ref|range/i.test(text);

/**
 * The results of tiles side by side: a line of names, below it their values with units, and perhaps below these their ranges. Each tile has
 * its place from left to right in all of its lines.
 */
export function readTiles(lines: readonly Line[]): readonly Tile[] {
  const tiles: Tile[] = [];
  for (const [index, line] of lines.entries()) {
    const [above, below] = [lines[index - 1], lines[index + 1]];
    const values = toCells(line);
    if (!above || values.length < 2 || line.y - above.y > line.height * apartMax) continue;
    const [names, ranges] = [toCells(above), below && below.y - line.y < line.height * apartMax ? toCells(below) : []];
    const found = values.flatMap((cell) => {
      const isHere = (other: Cell) => Math.abs(other.x - cell.x) < line.height * aligned;
      const [name, range] = [names.find(isHere), ranges.find(isHere)];
      const row = name && isName(name) ? readTile(lineOf(line, cell), range) : undefined;
      return name && row ? [{ ...row, name: name.text }] : [];
    });
    const isOneTable = names.some(({ text }) => isNumber(text)) || found.some(({ name }) => canonicalUnit(name) !== undefined);
    if (found.length < 2 || found.length < values.length || isOneTable) continue;
    const taken = [index - 1, index, ...(ranges.some(({ text }) => rangeOfText(text) !== undefined) ? [index + 1] : [])];
    for (const row of found) tiles.push({ row, lines: taken });
  }
  return tiles;
}

/** The result of a tile without its name. */
function readTile(line: Line, rangeCell: Cell | undefined): ResultRow | undefined {
  const range = rangeCell && rangeOfText(rangeCell.text);
  const row = readRowBelowName(line, range !== undefined);
  if (!row) return undefined;
  const words = [...line.words, ...(range === undefined ? [] : (rangeCell?.words ?? []))];
  const whole = { ...row, range: row.range || (range ?? '') };
  const confidence = rowConfidence(words, whole);
  return { ...whole, ...(confidence !== undefined && { confidence }) };
}
