import { parseSync, Visitor } from 'oxc-parser';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const loops = ['WhileStatement', 'DoWhileStatement', 'ForStatement', 'ForOfStatement', 'ForInStatement'];
/** A pause of a number of milliseconds that the test wrote down. One that names what has to pass, such as a session timeout, is a variable. */
const fixedPause = /^await (?:sleep\([\d_]+\)|new Promise(?:<\w+>)?\(\((\w+)\) => setTimeout\(\1, [\d_]+\)\))$/;
const upperBound = /^expect\([^;]*(?:performance\.now|Date\.now|hrtime(?:\.bigint)?)\(\)[^;]*\)\.toBeLess/;

/** Pauses of a fixed time outside of a loop that polls, and assertions that something took at most some time, as `file:line`. */
export function fixedWaits(file: string, code: string): string[] {
  if (!/setTimeout|sleep\(|toBeLess/.test(code)) return [];
  const found: string[] = [];
  let depth = 0;
  const report = ({ start }: Node) => found.push(`${file}:${code.slice(0, start).split('\n').length}`);
  const textOf = ({ start, end }: Node) => code.slice(start, end).replaceAll(/\s+/g, ' ');
  const enter = () => void (depth += 1);
  const leave = () => void (depth -= 1);
  const visitors = Object.fromEntries(
    loops.flatMap((name) => [
      [name, enter],
      [`${name}:exit`, leave],
    ]),
  );
  new Visitor({
    ...visitors,
    AwaitExpression: (node) => void (depth === 0 && fixedPause.test(textOf(node)) && report(node)),
    CallExpression: (node) => void (node.callee.type === 'MemberExpression' && upperBound.test(textOf(node)) && report(node)),
  }).visit(parseSync(file, code).program);
  return found;
}
