/** A lock that a statement takes. */
export interface StatementLock {
  /** The table whose rows it locks, or which it locks itself; `advisory` for an advisory lock of the transaction. */
  readonly table: string;
  /** Whether the statement waits when another transaction has the lock, instead of skipping the row. */
  readonly waits: boolean;
  /** Of an advisory lock: the number of the parameter that says which one. */
  readonly parameter: number | null;
}

const patterns = [
  String.raw`\bpg_advisory_xact_lock(?<advisory>\()`,
  String.raw`\bFOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)\b(?! SET\b)(?: OF (?<of>\w+|"\w+"))?(?<skips> SKIP LOCKED| NOWAIT)?`,
  String.raw`\bINSERT INTO "?(?<inserted>\w+)"?`,
  String.raw`\b(?:DELETE FROM|LOCK TABLE) "?(?<written>\w+)"?`,
  String.raw`(?<!\b(?:FOR|DO|KEY) )\bUPDATE (?:ONLY )?"?(?<updated>\w+)"?`,
];
const lock = new RegExp(patterns.join('|'), 'gi');

/** The statement in one line, without comments and the contents of constants. */
export function simplify(statement: string): string {
  return statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Where the parenthesis ends in which `from` is; the end of the text outside of one. */
function endOfLevel(text: string, from: number): number {
  let depth = 0;
  for (let place = from; place < text.length; place++) {
    if (text[place] === '(') depth += 1;
    if (text[place] === ')') depth -= 1;
    if (depth < 0) return place;
  }
  return text.length;
}

/** What is before `end` in the same parentheses, without the contents of deeper ones. */
function levelBefore(text: string, end: number): string {
  let level = '';
  let depth = 0;
  for (let place = end - 1; place >= 0; place--) {
    const character = text[place] as string;
    if (character === ')') depth += 1;
    if (depth === 0 && character !== '(') level = character + level;
    if (character === '(') depth -= 1;
    if (depth < 0) break;
  }
  return level;
}

const keyword = /^(?:where|join|left|right|cross|inner|full|order|group|limit|for|using|on|as|lateral)$/i;

/** The tables that a SELECT with this text before its `FOR UPDATE` reads; `of`: only the one of this name. */
function tablesOf(level: string, of: string | undefined): readonly string[] {
  const from = level.slice(Math.max(0, level.toUpperCase().lastIndexOf(' FROM ')));
  const read = [...from.matchAll(/(?:\bFROM|\bJOIN|,) "?(\w+)"?(?: (?:AS )?"?(\w+)"?)?/gi)].map(([, table = '', alias = '']) => ({
    table,
    name: alias === '' || keyword.test(alias) ? table : alias,
  }));
  return read.filter(({ name }) => of === undefined || name === of.replaceAll('"', '')).map(({ table }) => table);
}

/**
 * The locks that a statement takes, in the order of its text; `text` is what `simplify` returns. Some tables may be names of its own
 * subqueries.
 */
export function locksOf(text: string): readonly StatementLock[] {
  return [...text.matchAll(lock)].flatMap(({ index, 0: found, groups = {} }): readonly StatementLock[] => {
    const { advisory, of, skips, inserted, written, updated } = groups;
    const rest = text.slice(index, endOfLevel(text, index));
    if (advisory !== undefined) {
      const call = text.slice(index, endOfLevel(text, index + found.length));
      return [{ table: 'advisory', waits: true, parameter: Number(/\$(\d+)[^$]*$/.exec(call)?.[1] ?? 0) || null }];
    }
    // Rows are in the way of an INSERT only where it says what happens then.
    if (inserted !== undefined) return /\bON CONFLICT\b/i.test(rest) ? [{ table: inserted, waits: true, parameter: null }] : [];
    const table = written ?? updated;
    if (table !== undefined) return [{ table, waits: true, parameter: null }];
    return tablesOf(levelBefore(text, index), of).map((name) => ({ table: name, waits: skips === undefined, parameter: null }));
  });
}
