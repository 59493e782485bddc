import { daysOf, isDate } from '../values/dates.ts';
import { rightOf, toCells, type Line } from './lines.ts';

export type ColumnKind = 'name' | 'value' | 'flag' | 'unit' | 'range' | 'low' | 'high' | 'other';

export interface Column {
  readonly kind: ColumnKind;
  readonly x: number;
  readonly right: number;
  /** The date in the title of a column of values, as printed. */
  readonly date?: string | undefined;
  /** Whether it is unclear that this of several columns of values is the current one. */
  readonly isUncertain?: boolean;
}

/** Column titles in lower case, without punctuation. */
const titles: Readonly<Record<ColumnKind, readonly string[]>> = {
  name: [
    'test',
    'tests',
    'test name',
    'analyte',
    'component',
    'test description',
    'examination',
    'investigation',
    'parameter',
    'marker',
    'biomarker',
    'assay',
    'description',
    'procedure',
    'test performed',
    'observation',
    'tests ordered',
    'lab test',
    'measurement',
  ],
  value: [
    'result',
    'results',
    'value',
    'values',
    'your value',
    'your result',
    'current result',
    'current result and flag',
    'patient result',
    'observed value',
    'test result',
    'in range',
    'out of range',
    'measured value',
    'result value',
    'current',
    'finding',
    'reading',
    'measured',
  ],
  flag: ['flag', 'flags', 'abnormal', 'h l', 'hl', 'alert', 'abn', 'status', 'indicator', 'interpretation', 'abnormal flag'],
  unit: ['unit', 'units', 'uom', 'unit of measure', 'units of measure'],
  range: [
    'reference range',
    'reference interval',
    'reference',
    'ref range',
    'ref interval',
    'reference ranges',
    'reference values',
    'normal range',
    'normal values',
    'expected range',
    'expected',
    'biological reference interval',
    'biological',
    'biological ref',
    'biological ref interval',
    'biological reference',
    'bio ref',
    'typical range',
    'bio ref interval',
    'normal',
    'limits',
    'ref',
    'reference limits',
    'standard range',
    'target range',
    'optimal range',
    'reference value',
    'range',
  ],
  low: ['low', 'lower', 'lower limit', 'min', 'minimum', 'from'],
  high: ['high', 'upper', 'upper limit', 'max', 'maximum', 'to'],
  other: [
    's no',
    'sl no',
    'sr no',
    'serial no',
    'remark',
    'remarks',
    'site code',
    'lab',
    'date',
    'previous result',
    'previous result and date',
    'previous',
    'previous value',
    'previous results',
    'last result',
    'last',
    'prior value',
    'prior result',
    'prior',
    'method',
    'site',
    'performing site',
    'code',
    'specimen',
    'loinc',
    'collected',
    'comment',
    'comments',
    'notes',
    'no',
    'tech',
    'methodology',
    'technology',
    'sample',
  ],
};

const kinds = new Map<string, ColumnKind>(
  (Object.entries(titles) as [ColumnKind, readonly string[]][]).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

/** Titles of a flag column if there is no other; beside another flag column, they are the status of the result, such as final. */
const maybeFlags = new Set(['status', 'interpretation']);

const longestTitle = 4;
const normalise = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();

/** The kind of column or field that a title or label denotes. */
export const kindOfTitle = (text: string): ColumnKind | undefined => kinds.get(normalise(text));

/** The columns of a line of titles; undefined for other lines. A table needs a value column and at least one more. */
export function readHeader(line: Line): readonly Column[] | undefined {
  const { words } = line;
  const found: (Column & { readonly title: string })[] = [];
  let unknown = 0;
  for (let at = 0; at < words.length;) {
    let taken = 0;
    for (let count = Math.min(longestTitle, words.length - at); count > 0 && taken === 0; count--) {
      const part = words.slice(at, at + count);
      const [first, last] = [part[0], part.at(-1)];
      const title = normalise(part.map(({ text }) => text).join(' '));
      const kind = kinds.get(title);
      if (!first || !last || hasWideGap(part, line.height)) continue;
      const text = part.map((word) => word.text).join(' ');
      const date = isDate(text.replace(/^\((.*)\)$/, '$1')) ? text.replace(/^\((.*)\)$/, '$1') : undefined;
      if (kind === undefined && date === undefined) continue;
      taken = count;
      const before = found.at(-1);
      // `Result 02/01/2026` is one title.
      const isOfBefore = before && before.date === undefined && (before.kind === 'value' || before.kind === 'other');
      if (date !== undefined && isOfBefore && first.x - before.right < line.height * 1.2)
        found[found.length - 1] = { ...before, right: rightOf(last), date };
      else found.push({ kind: kind ?? 'value', title, x: first.x, right: rightOf(last), ...(date !== undefined && { date }) });
    }
    if (taken === 0) unknown += 1;
    at += Math.max(1, taken);
  }
  const hasLimits = found.some(({ kind }) => kind === 'low') && found.some(({ kind }) => kind === 'high');
  if (!hasLimits) {
    const limits = found.filter(({ kind }) => kind === 'low' || kind === 'high');
    unknown += limits.length;
    for (const limit of limits) found.splice(found.indexOf(limit), 1);
  }
  const hasFlags = found.some(({ kind, title }) => kind === 'flag' && !maybeFlags.has(title));
  const columns = found.map(({ title, ...column }): Column => (hasFlags && maybeFlags.has(title) ? { ...column, kind: 'other' } : column));
  const known = new Set(columns.map(({ kind }) => kind));
  // `Test Results` is a heading.
  const isSentence = toCells(line).length < 2;
  // `Test: CBC   Collected: 02/01/2026` is a line of the report header.
  const isHead = columns.some(({ date }) => date !== undefined) && (columns.length < 3 || words.some(({ text }) => text.endsWith(':')));
  const isTable =
    !isSentence &&
    !isHead &&
    known.has('value') &&
    (known.has('name') || known.has('range') || known.has('unit') || hasLimits) &&
    unknown <= columns.length / 2;
  if (!isTable) return undefined;
  // Other titles between them are columns too; a text beside the table may be the title of another.
  const [start, end] = [columns[0]?.x ?? 0, columns.at(-1)?.x ?? 0];
  const untitled = toCells(line).filter(
    (cell) => cell.x > start && cell.x < end && !columns.some(({ x, right }) => x < cell.right && right > cell.x),
  );
  const all = [...columns, ...untitled.map(({ x, right }): Column => ({ kind: 'other', x, right }))].toSorted((a, b) => a.x - b.x);
  // A table whose first column has no title starts at the left edge.
  return known.has('name') ? all : [{ kind: 'name', x: Math.min(0, words[0]?.x ?? 0), right: start * 0.6 }, ...all];
}

function hasWideGap(words: Line['words'], height: number): boolean {
  return words.some((word, index) => {
    const before = words[index - 1];
    return before !== undefined && word.x - rightOf(before) > height * 1.2;
  });
}

/** The orders in which all titles are dates that only rise or only fall from left to right: 0 for the month first, 1 for the day. */
function ordersOf(columns: readonly Column[]): readonly number[] {
  const rising = [0, 1].filter((order) => {
    const days = columns.map(({ date = '' }) => dayIn(date, order));
    const steps = days.slice(1).map((day, index) => Math.sign((day ?? Number.NaN) - (days[index] ?? Number.NaN)));
    return days.length > 2 && !steps.includes(Number.NaN) && (steps.every((step) => step >= 0) || steps.every((step) => step <= 0));
  });
  return rising.length === 0 ? [0, 1] : rising;
}

/** The day of a date whose day and month may be interchanged, in an order; undefined when it is no date in that order. */
function dayIn(date: string, order: number): number | undefined {
  const days = daysOf(date);
  const isNumeric = /^\d{1,2}[-/.]\d{1,2}[-/.]/.test(date);
  if (days.length !== 1 || !isNumeric) return days[order] ?? days[0];
  const first = Number(/^\d+/.exec(date)?.[0]);
  const second = Number(/^\d+\D(\d+)/.exec(date)?.[1]);
  return (order === 0 ? first : second) > 12 ? undefined : days[0];
}

/** The column with the newest date, if it is the same whether day or month is printed first. */
function newestOf(columns: readonly Column[]): Column | undefined {
  const newest = ordersOf(columns).map((order) =>
    columns.reduce<{ readonly day: number; readonly column?: Column }>(
      (best, column) => {
        const day = dayIn(column.date ?? '', order) ?? 0;
        return day > best.day ? { day, column } : best;
      },
      { day: 0 },
    ),
  );
  return newest.every(({ column }) => column === newest[0]?.column) ? newest[0]?.column : undefined;
}

/** Whether two printed dates are the same day in a reading of both. */
const areSameDay = (one: string, other: string) => daysOf(one).some((day) => daysOf(other).includes(day));

/**
 * The columns with the current results as the only values: of several columns of values titled by dates the one of the collection, else the
 * newest. The others are previous results.
 */
export function selectCurrent(columns: readonly Column[], collected: string | null): readonly Column[] {
  const values = columns.filter(({ kind }) => kind === 'value');
  const dated = values.filter(({ date }) => date !== undefined);
  if (dated.length === 0 || values.length < 2) return columns;
  const ofCollection = collected === null ? [] : dated.filter(({ date = '' }) => areSameDay(date, collected));
  const undated = values.find(({ date }) => date === undefined);
  const sure = undated ?? (ofCollection.length === 1 ? ofCollection[0] : newestOf(dated));
  const current = sure ?? dated[0];
  return columns.map((column) => {
    if (column.kind !== 'value') return column;
    return column === current ? { ...column, ...(!sure && { isUncertain: true }) } : { ...column, kind: 'other' };
  });
}

/** The tables of a header: a second column of names begins another table beside the first. */
export function splitTables(columns: readonly Column[]): readonly (readonly Column[])[] {
  const tables: Column[][] = [];
  for (const column of columns) {
    const table = tables.at(-1);
    if (!table || (column.kind === 'name' && table.some(({ kind }) => kind === 'value'))) tables.push([column]);
    else table.push(column);
  }
  return tables;
}
