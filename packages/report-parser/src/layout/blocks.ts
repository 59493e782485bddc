import type { Word } from '../model/page.ts';
import { readFlag } from '../values/interpret.ts';
import { kindOfTitle, type ColumnKind } from './header.ts';
import { toCells, type Line } from './lines.ts';
import { cleanTitle, isPanelTitle } from './panel-title.ts';
import { readRow, type ResultRow } from './row.ts';
import { rowConfidence } from './row-confidence.ts';

type Fields = Partial<Record<ColumnKind, string>>;

/** The labelled fields of a line such as `Your value: 27 sec   High`; undefined when it has none. */
function fieldsOf(line: Line): Fields | undefined {
  const fields: Fields = {};
  for (const { text } of toCells(line)) {
    const [, label = '', value = ''] = /^([a-z ]{3,24}):\s*(\S.*)$/i.exec(text) ?? [];
    const kind = kindOfTitle(label);
    if (kind !== undefined && kind !== 'name' && kind !== 'other') fields[kind] ??= value;
    else if (readFlag(text) !== undefined) fields.flag ??= text;
  }
  return fields.value === undefined && fields.range === undefined && fields.unit === undefined ? undefined : fields;
}

/** The results of a report that prints each one as a block of lines: the name, then labelled lines for value and range. */
export function readBlocks(lines: readonly Line[]): readonly (ResultRow & { readonly panel: string | null })[] {
  const rows: (ResultRow & { panel: string | null })[] = [];
  let panel: string | null = null;
  let name = '';
  let fields: Fields = {};
  let words: Word[] = [];
  const close = () => {
    const row = readRow({ name, value: '', flag: '', unit: '', range: '', low: '', high: '', other: '', ...fields });
    const confidence = row && rowConfidence(words, row);
    if (row) rows.push({ ...row, panel, ...(confidence !== undefined && { confidence }) });
    [fields, words] = [{}, []];
  };
  for (const line of lines) {
    const found = fieldsOf(line);
    if (found) {
      // A repeated field belongs to another block whose name was unreadable.
      if (Object.keys(found).some((kind) => fields[kind as ColumnKind] !== undefined)) {
        close();
        name = '';
      }
      fields = { ...fields, ...found };
      words.push(...line.words);
      continue;
    }
    const text = toCells(line)
      .map((cell) => cell.text)
      .join(' ');
    if (Object.keys(fields).length > 0) close();
    else if (isPanelTitle(name)) panel = cleanTitle(name);
    name = text;
  }
  close();
  return rows;
}
