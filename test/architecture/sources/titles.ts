import { parseSync, Visitor } from 'oxc-parser';

export interface Title {
  readonly text: string;
  readonly line: number;
  /** A suite's title is read with those of its tests; a test's has to say something alone. */
  readonly isSuite: boolean;
}

const suiteNamers = new Set(['describe', 'describeKafka', 'describeCluster', 'suite']);
const namers = new Set([...suiteNamers, 'it', 'test']);
// Parsing is slow, and most files have no tests.
const mention = new RegExp(String.raw`\b(?:${[...namers].join('|')})\s*[.(<\`]`);

/** The name under a call: `test` of `test(…)`, `test.skip(…)` and `test.each(rows)(…)`. */
function calleeName(node: { readonly type: string } & Record<string, unknown>): string | undefined {
  if (node.type === 'Identifier') return node['name'] as string;
  const inner = node['object'] ?? node['callee'] ?? node['tag'];
  return inner === undefined ? undefined : calleeName(inner as typeof node);
}

/** The titles of tests and suites that are literals; of templates, the fixed parts. */
export function titlesOf(file: string, code: string): Title[] {
  if (!mention.test(code)) return [];
  const found: Title[] = [];
  const { program } = parseSync(file, code);
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      const name = calleeName(callee as never) ?? '';
      if (title === undefined || !namers.has(name)) return;
      const isSuite = suiteNamers.has(name);
      const line = code.slice(0, title.start).split('\n').length;
      if (title.type === 'Literal' && typeof title.value === 'string') found.push({ text: title.value, line, isSuite });
      if (title.type === 'TemplateLiteral')
        found.push({ text: title.quasis.map(({ value }) => value.cooked ?? '').join(''), line, isSuite });
    },
  }).visit(program);
  return found;
}

/** The words of a title, without the placeholders that `each` fills with values. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/%[sdifjoO#$]|\$[\w.]+/g, ' ')
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word));
}
