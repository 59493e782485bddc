import { assignColumns, type RowTexts } from './columns.ts';
import type { Column } from './header.ts';
import { rangeOfText, readInlineRow, readRowBelowName, readRowByFormat } from './free-rows.ts';
import { toCells, type Line } from './lines.ts';
import { knownAnalyte } from '../loinc/known-analytes.ts';
import { readRange } from '../values/read-range.ts';
import { isLabelledRange } from '../values/range-for-patient.ts';
import type { Doubt } from '../model/report.ts';
import { cleanTitle, isPanelTitle } from './panel-title.ts';
import { readRow, readRowWithoutColumns, type ResultRow } from './row.ts';
import { nameConfidence, rowConfidence } from './row-confidence.ts';

export interface PanelRow extends ResultRow {
  readonly panel: string | null;
  /** The page, from 0. */
  readonly page?: number;
  /** Why the row may be wrong although it was read. */
  readonly doubts?: readonly Doubt[];
}

/** A line of a table: a result or other text. */
export type Entry =
  | {
      readonly kind: 'row';
      readonly row: ResultRow;
      readonly y: number;
      readonly height: number;
      /** Whether the value is from one of several columns, and it is unclear which is current. */
      readonly isUncertain?: boolean;
      /** Whether the name is on a line of its own, so that the text above is no part of it. */
      readonly isNameWhole?: boolean;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly y: number;
      readonly height: number;
      /** The result of a line without a name, whose name may be on the lines directly above and below. */
      readonly nameless?: ResultRow | undefined;
      /** The result of a line whose name is the line above. */
      readonly belowName?: ResultRow | undefined;
      /** The range of the result above. */
      readonly rangeBelow?: string | undefined;
      /** Another range for the result above, in its column: `F: 12.0-15.5`. */
      readonly moreRange?: string;
    };

const isOpen = (name: string) =>
  /[,/(]$|(?<!-)-$|\b(?:and|of|by|random|with)$/i.test(name) || name.split('(').length > name.split(')').length;
const isContinuation = (text: string) =>
  /^(?:[(a-z0-9%]|RATIO\b)/.test(text) &&
  !/^(?:see|note|ref|\d+$)/i.test(text) &&
  !/^(?:hs-|pH$|[a-z][A-Z]|[\d,]+[ -]?(?:OH|hydroxy))/.test(text);

/** Words for how something is measured, in parentheses below a name. */
const methods =
  /calculat|impedance|cytometr|photometr|colorimetr|turbidi|nephelo|enzym|immuno|chemilum|electrode|kinetic|jaffe|urease|oxidase|biuret|diazo|hplc|\b(?:clia|cmia|eclia|elisa|ise|gpo|god|pod|pap|ifcc|gldh|chod|bcg|bcp|lc-?ms|pcr|sls|derived|direct|indirect|method|ria)\b/i;

/** Whether a line says how the result above it was measured; it belongs to no name. */
const isMethodNote = (text: string) =>
  /^[([]?(?:method|methodology|technique|technology|principle|instrument)\b/i.test(text) || (isInBrackets(text) && methods.test(text));

const isInBrackets = (text: string) => /^[([][^()[\]]*(?:\([^()]*\)[^()[\]]*)*[)\]]$/.test(text);

/** Results of a page that have a line in brackets below them, as a share, if these lines are methods, known or not. */
const mostBelow = 0.5;
const belowMin = 3;

/** Whether most results have a line in brackets below them: then it is not a part of a name. */
function hasMethodsBelow(entries: readonly Entry[]): boolean {
  const rows = entries.filter(({ kind }) => kind === 'row').length;
  const noted = entries.filter((entry, index) => entry.kind === 'text' && isInBrackets(entry.text) && entries[index - 1]?.kind === 'row');
  return noted.length >= belowMin && noted.length >= rows * mostBelow;
}

/** The range in a line below its result: `Normal range: 4.0 to 11.0 10*9/L`, `Ref: <5.0`, or only `(13.2-17.1)`. */
function rangeBelow(line: Line): string | undefined {
  const cells = toCells(line).map(({ text }) => text);
  const [only = ''] = cells;
  if (cells.length === 1 && /^[([].*\d.*[)\]]$/.test(only) && readRange(only)) return only;
  return cells.map(rangeOfText).find((range) => range !== undefined);
}

export function toEntry(line: Line, columns: readonly Column[] | undefined): Entry {
  const at = { y: line.y, height: line.height };
  const rated = (row: ResultRow): ResultRow => {
    const [confidence, ofName] = [rowConfidence(line.words, row), nameConfidence(line.words, row)];
    return { ...row, ...(confidence !== undefined && { confidence }), ...(ofName !== undefined && { nameConfidence: ofName }) };
  };
  if (!columns) {
    const row = readInlineRow(line) ?? readRowWithoutColumns(line);
    if (row) return { kind: 'row', row: rated(row), ...at };
    const belowName = readRowBelowName(line);
    const cells = toCells(line).map(({ text }) => text);
    const more = cells.find((text) => isLabelledRange(text));
    return {
      kind: 'text',
      text: cells.filter((text) => text !== more).join('  '),
      ...at,
      belowName: belowName && rated(belowName),
      rangeBelow: rangeBelow(line),
      ...(more !== undefined && { moreRange: more }),
    };
  }
  const texts: RowTexts = assignColumns(line, columns);
  const byColumns = readRow(texts);
  const isAlone = columns.every(({ kind, date }) => kind !== 'other' && date === undefined);
  const row = (isAlone ? readRowByFormat(line, byColumns) : undefined) ?? byColumns;
  if (row) return { kind: 'row', row: rated(row), ...at, isUncertain: columns.some(({ isUncertain }) => isUncertain) };
  const isNameOnly = texts.value === '' && texts.unit === '' && texts.range === '' && texts.flag === '';
  const moreRange = texts.name === '' && texts.value === '' && isLabelledRange(texts.range) ? texts.range : undefined;
  // Any name makes the line readable as a row.
  const nameless = texts.name === '' && moreRange === undefined ? readRow({ ...texts, name: 'nameless' }) : undefined;
  return {
    kind: 'text',
    text: isNameOnly ? texts.name : '',
    ...at,
    nameless: nameless && rated(nameless),
    rangeBelow: rangeBelow(line),
    ...(moreRange !== undefined && { moreRange }),
  };
}

/** Names the results whose names are the lines above them. */
function nameFromAbove(entries: readonly Entry[]): readonly Entry[] {
  const named: Entry[] = [];
  for (const entry of entries) {
    const above = named.at(-1);
    const isBelow =
      entry.kind === 'text' &&
      entry.belowName &&
      above?.kind === 'text' &&
      (isPanelTitle(above.text) || knownAnalyte(above.text) !== undefined) &&
      entry.y - above.y < above.height * 2.5;
    if (isBelow) {
      const row = { ...entry.belowName, name: above.text };
      named[named.length - 1] = { kind: 'row', row, y: above.y, height: above.height, isNameWhole: true };
    } else named.push(entry);
  }
  return named;
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
  const entries = nameFromAbove(nameCentred(printed));
  const [pitch, areMethods] = [pitchOf(entries), hasMethodsBelow(entries)];
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
      const name = prefix === '' ? entry.row.name : join(prefix, entry.row.name);
      rows.push({ ...entry.row, name, panel, ...(entry.isUncertain && { doubts: ['column'] }) });
      prefix = '';
      lastRowY = entry.y;
      continue;
    }
    const [last, next] = [rows.at(-1), entries[index + 1]];
    const { text } = entry;
    if (last && entry.moreRange !== undefined && entries[index - 1]?.kind === 'row')
      rows[rows.length - 1] = { ...last, range: `${last.range} ${entry.moreRange}` };
    if (last && entry.rangeBelow !== undefined && entries.slice(Math.max(0, index - 2), index).some(({ kind }) => kind === 'row')) {
      if (last.range === '') rows[rows.length - 1] = { ...last, range: entry.rangeBelow };
      continue;
    }
    if (text === '' || isMethodNote(text) || (areMethods && isInBrackets(text))) continue;
    const isClose =
      lastRowY !== undefined && entries[index - 1]?.kind === 'row' && entry.y - lastRowY < (pitch > 0 ? pitch * 0.85 : entry.height * 1.3);
    const continuesLast =
      last &&
      (entries[index - 1]?.kind === 'row' || joinedAt === index - 1) &&
      (isOpen(last.name) ||
        (knownAnalyte(last.name) === undefined && knownAnalyte(join(last.name, text)) !== undefined) ||
        continuesBelow(entries, index) ||
        ((isClose || isContinuation(text)) && text.split(' ').length <= 6 && !/[.:]$/.test(text)));
    if (last && continuesLast) {
      rows[rows.length - 1] = { ...(rows.at(-1) ?? last), name: join(last.name, text) };
      joinedAt = index;
    } else if (
      next?.kind === 'row' &&
      !next.isNameWhole &&
      (isOpen(text) || isContinuation(next.row.name) || (next.y - entry.y < pitch * 0.85 && knownAnalyte(next.row.name) === undefined))
    )
      prefix = text;
    else if (isPanelTitle(text) && isTitleOf(entries, index)) panel = cleanTitle(text);
  }
  return { rows, panel };
}

/**
 * Whether a text in capitals belongs to the name in capitals above it: the next line is clearly further away, as the lines of one result
 * are closer together than results are. A title is closer to the result below it.
 */
function continuesBelow(entries: readonly Entry[], index: number): boolean {
  const [before, entry, next] = [entries[index - 1], entries[index], entries[index + 1]];
  if (before?.kind !== 'row' || entry?.kind !== 'text') return false;
  const isCapital = (text: string) => /[A-Z]{3}/.test(text) && text === text.toUpperCase();
  if (!isCapital(entry.text) || !isCapital(before.row.name) || entry.text.split(' ').length > 4) return false;
  const [above, below] = [entry.y - before.y, next ? next.y - entry.y : Number.POSITIVE_INFINITY];
  return above < entry.height * 2 && below > above * 1.4;
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
