import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The versions of Node and pnpm that the house is built with: written once, in the root package.json. */
export function readPins(root) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { node: manifest.devDependencies.node, pnpm: manifest.packageManager.replace(/^pnpm@/, '').replace(/\+.*$/, '') };
}

/** Where the pinned Node lies once it is installed. */
export function nodeBinary(root) {
  return join(root, 'node_modules', 'node', 'bin', 'node');
}
