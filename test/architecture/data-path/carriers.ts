import { registerHooks } from 'node:module';
import { parseAst } from 'rolldown/parseAst';
import { ownFile, type ExecutedFunction } from './executed.ts';

/** The hooks' functions, under the name by which rewritten files call them. */
const probe = '__dataPathProbe';

/** Part of a syntax tree, as far as it is read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const isFunction = ({ type }: Node) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** An expression with the value of a parameter; of an object whose fields it names, an object of these fields. */
function valueOf(pattern: unknown): string {
  const names = namesOf(pattern);
  if (isNode(pattern) && pattern.type === 'AssignmentPattern') return valueOf(pattern['left']);
  return isNode(pattern) && pattern.type === 'ObjectPattern' ? `{ ${names.join(', ')} }` : names.join(', ');
}

/** The names that a parameter introduces. */
function namesOf(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return pattern['name'] === 'this' ? [] : [String(pattern['name'])];
    case 'AssignmentPattern':
      return namesOf(pattern['left']);
    case 'RestElement':
      return namesOf(pattern['argument']);
    case 'ArrayPattern':
      return (pattern['elements'] as unknown[]).flatMap(namesOf);
    case 'ObjectPattern':
      return (pattern['properties'] as Node[]).flatMap((property) => namesOf(property['value'] ?? property));
    default:
      return [];
  }
}

/** The name that V8 gives a function, from its place. */
function nameOf(node: Node, parent: Node | null): string | null {
  if (isNode(node['id'])) return String(node['id']['name']);
  const key = parent?.['key'] ?? (parent?.type === 'VariableDeclarator' ? parent['id'] : null);
  if (!isNode(key) || (parent?.['value'] !== node && parent?.['init'] !== node)) return null;
  const { name } = key as { readonly name?: string };
  if (name === undefined) return null;
  return key.type === 'PrivateIdentifier' ? `#${name}` : name;
}

/**
 * What to insert so that a function reports its arguments, variables and results. A function without a name belongs to the one around it.
 */
function insertionsOf(node: Node, parent: Node | null, name: string | null, found: Insertion[]): void {
  let own = name;
  const around = (expression: Node) => {
    found.push({ at: expression.start, text: `${probe}(${JSON.stringify(own)}, ` }, { at: expression.end, text: ')' });
  };
  if (isFunction(node) && isNode(node['body'])) {
    own = nameOf(node, parent) ?? name;
    const params = node['params'] as unknown[];
    const { body } = node;
    if (own !== null && params.length > 0) {
      const call = `${probe}(${JSON.stringify(own)}, [${params.map(valueOf).join(', ')}])`;
      if (body.type === 'BlockStatement') found.push({ at: body.start + 1, text: `${call};` });
      else found.push({ at: body.start, text: `(${call}, ` }, { at: body.end, text: ')' });
    }
    if (own !== null && body.type !== 'BlockStatement') around(body);
  } else if (own !== null && isNode(node['argument']) && (node.type === 'ReturnStatement' || node.type === 'YieldExpression')) {
    if (node['delegate'] !== true) around(node['argument']);
  } else if (own !== null && node.type === 'VariableDeclarator' && isNode(node['init']) && !isFunction(node['init'])) {
    around(node['init']);
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) insertionsOf(child, node, own, found);
  }
}

function rewrite(file: string, source: string): string {
  const found: Insertion[] = [];
  insertionsOf(parseAst(source, { lang: 'ts' }) as unknown as Node, null, null, found);
  let text = '';
  let at = 0;
  for (const insertion of found.toSorted((a, b) => a.at - b.at)) {
    text += source.slice(at, insertion.at) + insertion.text;
    at = insertion.at;
  }
  return `const ${probe} = globalThis.${probe}.bind(null, ${JSON.stringify(file)});${text}${source.slice(at)}`;
}

/** The functions that had the sample among their arguments, variables or results. */
export interface CarrierWatch {
  /** Those since the last call. */
  take(): ReadonlySet<ExecutedFunction>;
}

/** Watches the functions of all files that are imported from here on. */
export function watchCarriers(carries: (value: unknown) => boolean): CarrierWatch {
  let found = new Set<ExecutedFunction>();
  const note = (file: string, name: string, value: unknown): unknown => {
    const id = `${file} ${name}`;
    // A query of `postgres` is a promise of its own kind, and starts when its `then` is called.
    if (value instanceof Promise && value.constructor === Promise)
      void value.then(
        (settled) => note(file, name, settled),
        () => {},
      );
    else if (!found.has(id) && carries(value)) found.add(id);
    return value;
  };
  Object.assign(globalThis, { [probe]: note });
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = ownFile(url);
      if (file === null || loaded.source === null || loaded.source === undefined) return loaded;
      return { ...loaded, source: rewrite(file, Buffer.from(loaded.source as Uint8Array).toString('utf8')) };
    },
  });
  return {
    take() {
      const taken = found;
      found = new Set();
      return taken;
    },
  };
}
