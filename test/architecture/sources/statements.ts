import { parseSync, Visitor } from 'oxc-parser';
import { filesUnder, read } from './workspace.ts';

/** A SQL statement that is written by hand, in a tagged template. */
export interface Statement {
  readonly file: string;
  readonly line: number;
  /** Its text on one line, with `?` for each value. */
  readonly text: string;
  /** Why drizzle cannot write it; null for an ordinary read or write. */
  readonly reason: Reason | null;
}

export type Reason = keyof typeof reasons;

/** Reasons for handwritten SQL, by what the text of a statement contains. The first match counts. */
const reasons = {
  lock: /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b|\bLOCK TABLE\b|\bpg_(?:try_)?advisory_/i,
  notify: /\bpg_notify\(/i,
  copy: /\bCOPY\b/,
  schema: /^(?:CREATE|ALTER|DROP|SET|GRANT)\b/i,
  catalog: /\b(?:pg_(?!notify|advisory)\w+|current_setting|to_regclass|nextval|setval)\b|::reg\w+/i,
  setBased: new RegExp(
    [
      /^WITH\b|\b(?:unnest|generate_series|jsonb_array_elements(?:_text)?)\(|\bLATERAL\b|\bANY\(/,
      /^UPDATE\b.*\bSET\b.*\bFROM\b|^DELETE\b.*\bUSING\b|^INSERT\b.*\bSELECT\b.*\bFROM\b/,
      // A batch: the rows are chosen by a query with a limit.
      /\bIN \(\s*SELECT\b.*\bLIMIT\b/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'i',
  ),
  /** An upsert whose result depends on the existing row. */
  upsert: /\bDO UPDATE\b.*(?:\bWHERE\b|\bCASE\b|\b(?:least|greatest|coalesce)\(|= \w+\.\w+ \+)/i,
  /** A query to the server that reads no table. */
  server: /^SELECT\b(?!.*\bFROM\b)/i,
  /** The table is chosen at run time, or is a fragment that several statements share. */
  composed: /\b(?:FROM|JOIN|UPDATE|INTO) \?/i,
  /** Forms that the planner needs spelled out: derived tables, probes and keyset comparisons, in the measured form. */
  plan: /\b(?:UNION|EXCEPT|OVER|FILTER|EXISTS|WITHIN GROUP)\b|\b(?:FROM|JOIN) \(|\(\s*SELECT\b|\(\w[\w.", ]*, [\w.", ]+\) (?:[<>]=?|<>|IN|BETWEEN) /i,
} as const satisfies Readonly<Record<string, RegExp>>;

const verbs = /^(?:SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|TRUNCATE|COPY|LOCK|LISTEN|NOTIFY|SET|CREATE|ALTER|DROP|GRANT|VALUES)\b/i;

export function reasonFor(statement: string): Reason | null {
  // Two other meanings of FROM.
  const text = statement.replaceAll(/\bDISTINCT FROM\b|\bextract\(\w+ FROM\b/gi, '');
  return (Object.keys(reasons) as Reason[]).find((reason) => reasons[reason].test(text)) ?? null;
}

interface Template {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The templates with a tag such as `sql`, `tx.sql` or `this.#database.sql`. Fragments of drizzle have the same tag, but are not statements.
 */
function templatesOf(file: string, code: string): Template[] {
  const { program } = parseSync(file, code);
  const found: Template[] = [];
  new Visitor({
    TaggedTemplateExpression({ tag, quasi, start, end }) {
      const isSql =
        (tag.type === 'Identifier' && tag.name === 'sql') ||
        (tag.type === 'MemberExpression' && tag.property.type === 'Identifier' && tag.property.name === 'sql');
      if (isSql) found.push({ start, end, text: quasi.quasis.map(({ value }) => value.cooked ?? '').join('?') });
    },
  }).visit(program);
  return found;
}

const oneLine = (text: string): string => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();

export function statementsOf(file: string, code: string): Statement[] {
  const all = templatesOf(file, code);
  return all
    .map((template) => ({ ...template, text: oneLine(template.text) }))
    .filter(({ text }) => verbs.test(text))
    .map(({ start, end, text }) => {
      const parts = all.filter((part) => part.start > start && part.end < end).map((part) => oneLine(part.text));
      return { file, line: code.slice(0, start).split('\n').length, text, reason: reasonFor([text, ...parts].join(' ')) };
    });
}

/** Every statement written by hand in the sources of packages and services. */
export function handWrittenStatements(): Statement[] {
  return (
    ['packages', 'services']
      .flatMap((folder) => filesUnder(folder, ['.ts']))
      .filter((file) => file.includes('/src/') && !file.endsWith('.test.ts'))
      .map((file) => ({ file, code: read(file) }))
      // Parsing costs most of the time.
      .filter(({ code }) => /\bsql[<`]/.test(code))
      .flatMap(({ file, code }) => statementsOf(file, code))
  );
}

/** Prints how many statements are written by hand, by reason, and the ordinary ones among them. */
export function reportStatements(): void {
  const all = handWrittenStatements();
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(`statements written by hand: ${all.length}`);
  for (const [reason, found] of Map.groupBy(all, (statement) => statement.reason ?? 'ordinary')) print(`  ${found.length} ${reason}`);
  for (const { file, line, text } of all.filter(({ reason }) => reason === null)) print(`${file}:${line}: ${text.slice(0, 120)}`);
}
