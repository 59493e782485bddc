import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

// A room that publishes a contract has this file; with `--check` it only compares. Found by name, so that nobody registers anything.
const generator = join('src', 'generate-schemas.ts');

const files = ['packages', 'services'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => join(root, folder, name, generator))
    .filter((file) => existsSync(file)),
);
for (const file of files) {
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
