import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources/workspace.ts';

const exported = /^export (?:async )?function\*? ?(\w+)|^export const (\w+) = (?:async )?\(/gm;

/**
 * How many of these functions of a file are steps: the exported ones, where a reader arrives from another file. The functions that they
 * call in the same file are part of them; a class, or an object that a function created earlier, is one step.
 */
export function countSteps(file: string, names: readonly string[]): number {
  const source = readFileSync(join(root, file), 'utf8');
  const entries = new Set([...source.matchAll(exported)].map(([, declared, assigned]) => declared ?? assigned));
  return Math.max(1, names.filter((name) => entries.has(name)).length);
}
