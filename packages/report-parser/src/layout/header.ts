import { rightOf, toCells, type Line } from './lines.ts';

export type ColumnKind = 'name' | 'value' | 'flag' | 'unit' | 'range' | 'other';

export interface Column {
  readonly kind: ColumnKind;
  readonly x: number;
  readonly right: number;
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
  other: [
    'lab',
    'date',
    'previous result',
    'previous result and date',
    'previous',
    'previous value',
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
      if (kind === undefined || !first || !last || hasWideGap(part, line.height)) continue;
      found.push({ kind, title, x: first.x, right: rightOf(last) });
      taken = count;
    }
    if (taken === 0) unknown += 1;
    at += Math.max(1, taken);
  }
  const hasFlags = found.some(({ kind, title }) => kind === 'flag' && !maybeFlags.has(title));
  const columns = found.map(({ kind, title, x, right }): Column => ({
    kind: hasFlags && maybeFlags.has(title) ? 'other' : kind,
    x,
    right,
  }));
  const known = new Set(columns.map(({ kind }) => kind));
  // `Test Results` is a heading.
  const isSentence = toCells(line).length < 2;
  const isTable =
    !isSentence && known.has('value') && (known.has('name') || known.has('range') || known.has('unit')) && unknown <= columns.length / 2;
  if (!isTable) return undefined;
  // A table whose first column has no title starts at the left edge.
  return known.has('name') ? columns : [{ kind: 'name', x: Math.min(0, words[0]?.x ?? 0), right: (columns[0]?.x ?? 0) * 0.6 }, ...columns];
}

function hasWideGap(words: Line['words'], height: number): boolean {
  return words.some((word, index) => {
    const before = words[index - 1];
    return before !== undefined && word.x - rightOf(before) > height * 1.2;
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
