import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Files that a running service never reads: the model for another engine, builds for browsers, engines it does not load in Node, types,
 * source maps.
 */
const leftOut =
  /\/(?:4\.0\.0|docs|examples|tests?|\.github)(?:\/|$)|tesseract\.min\.js|worker\.min\.js|-lstm\.(?:js|wasm)$|\.wasm\.js$|base64|\.d\.ts$|\.map$/;

/** The folder of a package as `from` resolves it; undefined for an optional dependency that is not installed. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; dirname(folder) !== folder; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
  }
  return undefined;
}

/** Copies packages with their dependencies into `target`/node_modules, flat, for a bundle that loads them at run time. */
export function copyPackages(names: readonly string[], from: string, target: string, copied = new Set<string>()): void {
  for (const name of names) {
    const folder = findPackage(name, from);
    if (folder === undefined || copied.has(name)) continue;
    copied.add(name);
    const filter = (path: string) => !leftOut.test(path.slice(folder.length));
    cpSync(folder, join(target, 'node_modules', name), { recursive: true, dereference: true, filter });
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    };
    copyPackages([...Object.keys(dependencies), ...Object.keys(optionalDependencies)], folder, target, copied);
  }
}
