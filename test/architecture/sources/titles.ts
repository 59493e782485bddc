import { parseSync, Visitor } from 'oxc-parser';

export interface Title {
  readonly text: string;
  readonly line: number;
}

const namers = new Set(['describe', 'describeKafka', 'describeCluster', 'it', 'test', 'suite']);
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
      if (title === undefined || !namers.has(calleeName(callee as never) ?? '')) return;
      const line = code.slice(0, title.start).split('\n').length;
      if (title.type === 'Literal' && typeof title.value === 'string') found.push({ text: title.value, line });
      if (title.type === 'TemplateLiteral') found.push({ text: title.quasis.map(({ value }) => value.cooked ?? '').join(''), line });
    },
  }).visit(program);
  return found;
}
