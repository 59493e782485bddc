import type { Page, Word } from '../model/page.ts';
import { readBlocks } from './blocks.ts';
import { readHeader, selectCurrent, splitTables, type Column } from './header.ts';
import { readTiles, type Tile } from './tiles.ts';
import { readFlag } from '../values/interpret.ts';
import { secondColumnOf } from './second-column.ts';
import { joinEntries, toEntry, type Entry, type PanelRow } from './entries.ts';
import { toCell, toLines, type Line } from './lines.ts';
import { cleanTitle, isTitleOfTable } from './panel-title.ts';

export type { PanelRow } from './entries.ts';

type Columns = readonly Column[];

/** State carried from one part of a page to the next: the columns of each table side by side, and the group title. */
interface Context {
  tables: readonly Columns[];
  panel: string | null;
  /** The printed day of the collection, which selects one of several columns of values. */
  readonly collected: string | null;
}

/** The results of all pages, in order. Columns and panels continue on the next page, which may repeat the header. */
export function readTables(pages: readonly Page[], collected: string | null = null): readonly PanelRow[] {
  const context: Context = { tables: [], panel: null, collected };
  return pages.flatMap(({ words }, page) => readPart(words, context).map((row) => ({ ...row, page })));
}

/** Reads a part of a page: with the previous columns down to the next header, then with the columns of that header. */
function readPart(words: readonly Word[], context: Context): readonly PanelRow[] {
  const lines = toLines(words);
  const at = lines.findIndex((line) => readHeader(line) !== undefined);
  const line = lines[at];
  const header = line && readHeader(line);
  if (!line || !header) return readBody(lines, words, context);
  const [above, title] = splitTitle(lines.slice(0, at), line);
  const rows = [...readBody(above, wordsOf(above), context)];
  context.tables = splitTables(header).map((columns) => selectCurrent(columns, context.collected));
  const below = wordsOf(lines.slice(at + 1));
  if (context.tables.length < 2) {
    context.panel = title ? titleOf(title.words) : context.panel;
    return [...rows, ...readPart(below, context)];
  }
  const end = nextWideHeader(lines.slice(at + 1), context.tables);
  const [inside, after] = [below.filter((word) => word.y < end), below.filter((word) => word.y >= end)];
  rows.push(...readSideBySide(inside, context, title));
  return after.length === 0 ? rows : [...rows, ...readPart(after, context)];
}

/** Rows between two headers. */
function readBody(lines: readonly Line[], words: readonly Word[], context: Context): readonly PanelRow[] {
  if (context.tables.length > 1) return readSideBySide(words, context, undefined);
  const [columns] = context.tables;
  const middle = columns === undefined ? secondColumnOf(lines) : undefined;
  if (middle !== undefined)
    return [words.filter(({ x }) => x < middle), words.filter(({ x }) => x >= middle)].flatMap((side) =>
      readBody(toLines(side), side, context),
    );
  const tiles = columns === undefined ? readTiles(lines) : [];
  if (tiles.length > 0) return readAroundTiles(lines, tiles, context);
  const entries: Entry[] = lines.map((line) => toEntry(line, columns));
  const read = joinEntries(entries, context.panel);
  if (columns === undefined) {
    const blocks = readBlocks(lines);
    if (blocks.length > read.rows.length) return blocks;
  }
  context.panel = read.panel;
  return read.rows;
}

/** Rows of tiles side by side, and of the lines between them. */
function readAroundTiles(lines: readonly Line[], tiles: readonly Tile[], context: Context): readonly PanelRow[] {
  const rows: PanelRow[] = [];
  let from = 0;
  for (const group of Map.groupBy(tiles, ({ lines: [first = 0] }) => first).values()) {
    const taken = group[0]?.lines ?? [];
    const between = lines.slice(from, taken[0]);
    rows.push(
      ...joinEntries(
        between.map((line) => toEntry(line, undefined)),
        context.panel,
      ).rows,
    );
    const title = between.map(({ words }) => toCell(words).text).findLast((text) => isTitleOfTable(text) && readFlag(text) === undefined);
    if (title !== undefined && !/\s{2}/.test(title)) context.panel = cleanTitle(title);
    rows.push(...group.map(({ row }) => ({ ...row, panel: context.panel })));
    from = Math.max(...taken) + 1;
  }
  return [
    ...rows,
    ...joinEntries(
      lines.slice(from).map((line) => toEntry(line, undefined)),
      context.panel,
    ).rows,
  ];
}

/** Tables side by side, each with its own lines and headers. */
function readSideBySide(words: readonly Word[], context: Context, title: Line | undefined): readonly PanelRow[] {
  const { tables } = context;
  const rows: PanelRow[] = [];
  context.tables = tables.map((columns, index) => {
    const isHere = (word: Word) => isIn(word, index, tables);
    const above = title?.words.filter(isHere) ?? [];
    const part: Context = { ...context, tables: [columns], panel: above.length > 0 ? titleOf(above) : context.panel };
    rows.push(...readPart(words.filter(isHere), part));
    context.panel = part.panel;
    return part.tables[0] ?? columns;
  });
  return rows;
}

const wordsOf = (lines: readonly Line[]) => lines.flatMap((line) => line.words);

function titleOf(words: readonly Word[]): string | null {
  const { text } = toCell(words);
  return isTitleOfTable(text) ? cleanTitle(text) : null;
}

/** Whether a word is in the table at `index`. */
function isIn(word: Word, index: number, tables: readonly Columns[]): boolean {
  const start = (at: number) => (tables[at]?.[0]?.x ?? Number.POSITIVE_INFINITY) - word.height;
  return (index === 0 || word.x >= start(index)) && word.x < start(index + 1);
}

/** Removes the line directly above the column titles when it is the title of the table. */
function splitTitle(lines: readonly Line[], header: Line): readonly [above: readonly Line[], title: Line | undefined] {
  const last = lines.at(-1);
  const isTitle = last && header.y - last.y < header.height * 3 && isTitleOfTable(toCell(last.words).text);
  return isTitle ? [lines.slice(0, -1), last] : [lines, undefined];
}

/** Where a header begins that spans all tables, so that they end above it. */
function nextWideHeader(lines: readonly Line[], tables: readonly Columns[]): number {
  const second = tables[1]?.[0]?.x ?? Number.POSITIVE_INFINITY;
  const wide = lines.find((line) => {
    const header = readHeader(line);
    const [table] = header && splitTables(header).length === 1 ? [header] : [];
    return table !== undefined && table.some(({ x }) => x < second) && table.some((column) => column.right > second);
  });
  return wide ? wide.y - wide.height * 0.5 : Number.POSITIVE_INFINITY;
}
