import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pinned versions of Node and pnpm, which only the root package.json states. */
export function readPins(root) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { node: manifest.devDependencies.node, pnpm: manifest.packageManager.replace(/^pnpm@/, '').replace(/\+.*$/, '') };
}

/** Path of the pinned Node once it is installed. */
export function nodeBinary(root) {
  return join(root, 'node_modules', 'node', 'bin', 'node');
}
