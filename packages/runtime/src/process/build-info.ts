import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Which code this is. */
export interface BuildInfo {
  /** The version in the root package.json. */
  readonly version: string;
  /** Short hash of the commit; `unknown` when the sources are no Git checkout. */
  readonly commit: string;
}

/** Replaced in bundles by the JSON of a BuildInfo, because a bundle runs without package.json and Git. */
declare const PULSEWIRE_BUILD: BuildInfo | undefined;

const repository = path.join(import.meta.dirname, '../../../..');
const unknown = 'unknown';

function read(...parts: string[]): string | null {
  try {
    return readFileSync(path.resolve(...parts), 'utf8').trim();
  } catch {
    return null;
  }
}

// Read from Git's files: the program may be missing, or refuse a checkout of another user.
function readCommit(root: string): string {
  // In a worktree, `.git` is a file that names the folder.
  const folder = path.resolve(root, read(root, '.git')?.replace(/^gitdir: /, '') ?? '.git');
  const head = read(folder, 'HEAD');
  const ref = head?.match(/^ref: (.+)$/)?.[1];
  if (head === null || ref === undefined) return shorten(head);
  const shared = path.resolve(folder, read(folder, 'commondir') ?? '.');
  const packed = () =>
    read(shared, 'packed-refs')
      ?.split('\n')
      .find((line) => line.endsWith(` ${ref}`));
  return shorten(read(folder, ref) ?? read(shared, ref) ?? packed() ?? null);
}

function shorten(hash: string | null): string {
  return hash !== null && /^[0-9a-f]{40}/.test(hash) ? hash.slice(0, 12) : unknown;
}

/** Version and commit of the sources in `root`. */
export function readBuildInfo(root: string = repository): BuildInfo {
  const manifest = JSON.parse(read(root, 'package.json') ?? '{}') as { version?: string };
  return { version: manifest.version ?? unknown, commit: readCommit(root) };
}

export const buildInfo: BuildInfo = typeof PULSEWIRE_BUILD === 'undefined' ? readBuildInfo() : PULSEWIRE_BUILD;

/** What `--version` prints for a program. */
export const versionText = (name: string): string => `Pulsewire ${name} ${buildInfo.version} (commit ${buildInfo.commit})`;
