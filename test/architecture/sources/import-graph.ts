import { dirname, join } from 'node:path';
import { filesUnder, read } from './workspace.ts';
import { importsOf } from './imports.ts';

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Every import between two files of a folder, tests included; paths are relative to the repository root. */
export function importsWithin(folder: string): Edge[] {
  return filesUnder(folder, ['.ts', '.tsx', '.mjs']).flatMap((from) =>
    importsOf(from, read(from))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from, to: join(dirname(from), specifier) })),
  );
}

/** Import cycles: strongly connected components of more than one file (Tarjan). */
export function cyclesOf(edges: readonly Edge[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const low = (file: string): number => lowest.get(file) ?? 0;
  function visit(file: string): void {
    index.set(file, index.size);
    lowest.set(file, index.size - 1);
    open.push(file);
    for (const to of targets.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(low(file), low(to)));
    }
    if (low(file) !== index.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) found.push(group.toSorted());
  }
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return found;
}
