import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withInstallLock } from './install-lock.mjs';
import { runInstaller } from './installer.mjs';
import { nodeBinary, readPins } from './pins.mjs';

const stampFile = join('node_modules', '.pulsewire-installed');

function manifests(root) {
  const members = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name, 'package.json')),
  );
  return [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    join('test', 'package.json'),
    ...members.toSorted((a, b) => (a < b ? -1 : 1)),
  ];
}

/** Hash of everything that determines what must be installed, including the platform. */
export function fingerprint(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of manifests(root)) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`${file}\n`).update(readFileSync(path)).update('\n');
  }
  return hash.digest('hex');
}

function isInstalled(root, wanted) {
  const stamp = join(root, stampFile);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(nodeBinary(root));
}

/**
 * Makes sure that node_modules matches the lock file. Takes a few milliseconds when nothing has changed; concurrent starts
 * install only once. Throws an Error with a human-readable message.
 */
export async function ensureInstalled(root, say) {
  const wanted = fingerprint(root);
  if (isInstalled(root, wanted)) return;
  try {
    mkdirSync(join(root, '.cache'), { recursive: true });
    mkdirSync(join(root, 'node_modules'), { recursive: true });
  } catch (error) {
    throw new Error(
      `The dependencies are not installed, and ${root} is not writable (${error.code}). Run this command once as the owner of that folder.`,
      { cause: error },
    );
  }
  await withInstallLock(join(root, '.cache', 'install.lock'), say, async () => {
    if (isInstalled(root, wanted)) return;
    // Remove the stamp first, so that an interrupted install is not mistaken for a complete one.
    rmSync(join(root, stampFile), { force: true });
    await runInstaller(root, readPins(root), say);
    if (!existsSync(nodeBinary(root))) {
      throw new Error(`The installation did not create ${nodeBinary(root)}. Delete node_modules and try again.`);
    }
    writeFileSync(join(root, stampFile), wanted);
  });
}
