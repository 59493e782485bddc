import { parseSync } from 'oxc-parser';

const unquoted = (text: string): string | undefined => /^(['"`])([^'"`$]*)\1$/.exec(text.trim())?.[2];

/**
 * What a file imports: the specifiers of its imports and re-exports, types included. A dynamic import counts when its specifier is a
 * literal; one that is composed at run time is not seen.
 */
export function importsOf(file: string, code: string): string[] {
  const { module } = parseSync(file, code);
  const exported = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []));
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => unquoted(code.slice(start, end)) ?? []);
  return [...new Set([...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic])];
}
