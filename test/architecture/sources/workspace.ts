import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');

export interface WorkspaceMember {
  readonly kind: 'package' | 'service';
  /** Folder name: `store`, `api`. */
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function foldersIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => entry.name);
}

/** Every package and service of the workspace. */
export function workspaceMembers(): WorkspaceMember[] {
  return (['package', 'service'] as const).flatMap((kind) =>
    foldersIn(`${kind}s`)
      .map((name) => ({ name, folder: `${kind}s/${name}` }))
      .filter(({ folder }) => existsSync(join(root, folder, 'package.json')))
      .map(({ name, folder }) => ({ kind, name, folder, manifest: JSON.parse(read(`${folder}/package.json`)) as Manifest })),
  );
}

const skippedFolders = new Set(['node_modules', 'dist', '.git', '.cache', '.pulsewire']);

/** Root-relative paths of the files below `folder` with one of the endings. */
export function filesUnder(folder: string, endings: readonly string[]): string[] {
  const absolute = join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
    const path = join(absolute, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : filesUnder(relative(root, path), endings);
    return endings.some((ending) => entry.name.endsWith(ending)) ? [relative(root, path)] : [];
  });
}

/** Every handwritten TypeScript and JavaScript file. */
export function sourceFiles(): string[] {
  return ['packages', 'services', 'test', '.ci'].flatMap((folder) => filesUnder(folder, ['.ts', '.mjs']));
}

/** The code without its comments. A `//` inside a string is kept when a colon precedes it, as in URLs. */
export function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

/** The package that a bare specifier names: `@pulsewire/database/testing` is `@pulsewire/database`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export const workspaceScope = '@pulsewire/';
