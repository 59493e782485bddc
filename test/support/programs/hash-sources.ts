import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const folders = ['packages', 'services', 'test/fault', 'test/integration', 'test/support'];
const skipped = new Set(['node_modules', 'dist']);

/** A hash of all modules that a bundle may contain, by size and time of the last change. Files that programs read are not in bundles. */
export function hashSources(root: string): string {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'pnpm-lock.yaml')));
  for (const folder of folders) addFolder(hash, path.join(root, folder));
  return hash.digest('hex').slice(0, 16);
}

function addFolder(hash: Hash, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) addFolder(hash, file);
    } else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
}
