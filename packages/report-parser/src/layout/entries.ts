import { assignColumns, type RowTexts } from './columns.ts';
import type { Column } from './header.ts';
import { toCells, type Line } from './lines.ts';
import { cleanTitle, isPanelTitle } from './panel-title.ts';
import { readRow, readRowWithoutColumns, type ResultRow } from './row.ts';
import { rowConfidence } from './row-confidence.ts';

export interface PanelRow extends ResultRow {
  readonly panel: string | null;
}

/** A line of a table: a result or other text. */
export type Entry =
  | { readonly kind: 'row'; readonly row: ResultRow; readonly y: number; readonly height: number }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly y: number;
      readonly height: number;
      /** The result of a line without a name, whose name may be on the lines directly above and below. */
      readonly nameless?: ResultRow | undefined;
    };

const isOpen = (name: string) => /[,/(-]$|\b(?:and|of|random|with)$/i.test(name) || name.split('(').length > name.split(')').length;
const isContinuation = (text: string) => /^(?:[(a-z0-9%]|RATIO\b)/.test(text) && !/^(?:see|note|ref)/i.test(text);

export function toEntry(line: Line, columns: readonly Column[] | undefined): Entry {
  const at = { y: line.y, height: line.height };
  const rated = (row: ResultRow): ResultRow => {
    const confidence = rowConfidence(line.words, row);
    return confidence === undefined ? row : { ...row, confidence };
  };
  if (!columns) {
    const row = readRowWithoutColumns(line);
    return row
      ? { kind: 'row', row: rated(row), ...at }
      : {
          kind: 'text',
          text: toCells(line)
            .map(({ text }) => text)
            .join('  '),
          ...at,
        };
  }
  const texts: RowTexts = assignColumns(line, columns);
  const row = readRow(texts);
  if (row) return { kind: 'row', row: rated(row), ...at };
  const isNameOnly = texts.value === '' && texts.unit === '' && texts.range === '' && texts.flag === '';
  // Any name makes the line readable as a row.
  const nameless = texts.name === '' ? readRow({ ...texts, name: 'nameless' }) : undefined;
  return { kind: 'text', text: isNameOnly ? texts.name : '', ...at, nameless: nameless && rated(nameless) };
}

/** Joins a result with the name that is wrapped around it, half a line above and half a line below. */
function nameCentred(entries: readonly Entry[]): readonly Entry[] {
  const named: Entry[] = [];
  for (let index = 0; index < entries.length; index++) {
    const [entry, before, after] = [entries[index], named.at(-1), entries[index + 1]];
    if (!entry) break;
    const isNear = (other: Entry | undefined) =>
      other?.kind === 'text' && other.text !== '' && Math.abs(other.y - entry.y) < entry.height ? other.text : undefined;
    const [above, below] = [isNear(before), isNear(after)];
    if (entry.kind === 'text' && entry.nameless && above !== undefined && below !== undefined) {
      named[named.length - 1] = { kind: 'row', row: { ...entry.nameless, name: join(above, below) }, y: entry.y, height: entry.height };
      index++;
    } else named.push(entry);
  }
  return named;
}

/** Joins wrapped names with their rows and finds the title of each group. */
export function joinEntries(printed: readonly Entry[], before: string | null): { rows: readonly PanelRow[]; panel: string | null } {
  const entries = nameCentred(printed);
  const pitch = pitchOf(entries);
  const rows: PanelRow[] = [];
  let panel = before;
  let prefix = '';
  let lastRowY: number | undefined;
  let joinedAt = -1;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'row') {
      const distance = lastRowY === undefined ? 0 : entry.y - lastRowY;
      const isAfterText = entries[index - 1]?.kind === 'text';
      if (!isAfterText && pitch > 0 && distance > pitch * 1.9) panel = null;
      rows.push({ ...entry.row, name: prefix === '' ? entry.row.name : join(prefix, entry.row.name), panel });
      prefix = '';
      lastRowY = entry.y;
      continue;
    }
    const [last, next] = [rows.at(-1), entries[index + 1]];
    const { text } = entry;
    if (text === '') continue;
    const isClose =
      lastRowY !== undefined && entries[index - 1]?.kind === 'row' && entry.y - lastRowY < (pitch > 0 ? pitch * 0.85 : entry.height * 1.3);
    const continuesLast =
      last &&
      (entries[index - 1]?.kind === 'row' || joinedAt === index - 1) &&
      (isOpen(last.name) || ((isClose || isContinuation(text)) && text.split(' ').length <= 6 && !/[.:]$/.test(text)));
    if (last && continuesLast) {
      rows[rows.length - 1] = { ...last, name: join(last.name, text) };
      joinedAt = index;
    } else if (next?.kind === 'row' && (isOpen(text) || isContinuation(next.row.name) || next.y - entry.y < pitch * 0.85)) prefix = text;
    else if (isPanelTitle(text) && isTitleOf(entries, index)) panel = cleanTitle(text);
  }
  return { rows, panel };
}

/** Whether results follow, perhaps after another title. */
function isTitleOf(entries: readonly Entry[], index: number): boolean {
  return entries.slice(index + 1, index + 3).some(({ kind }) => kind === 'row');
}

const join = (left: string, right: string) => (left.endsWith('-') ? left + right : `${left} ${right}`);

/** The usual distance between two rows. */
function pitchOf(entries: readonly Entry[]): number {
  const distances = entries.flatMap((entry, index) => {
    const before = entries[index - 1];
    return entry.kind === 'row' && before?.kind === 'row' ? [entry.y - before.y] : [];
  });
  return distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? 0;
}
