import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@pulsewire/kernel';

/** The operating-system user under which the server runs; null: the user of this process. */
export interface ServerIdentity {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Postgres refuses to run as root. A root process therefore uses an existing unprivileged user, `postgres` before `nobody`; nothing on the
 * host is created or changed for it.
 */
export async function chooseIdentity(): Promise<ServerIdentity | null> {
  if (process.getuid?.() !== 0) return null;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const user = users.find(([name]) => name === wanted);
    if (user) return { name: wanted, uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new AppError({
    code: 'embedded_no_user',
    kind: 'unavailable',
    message:
      'Running as root, and neither user "postgres" nor "nobody" exists to run the embedded Postgres; start as an ordinary user or set DATABASE_URL',
  });
}

/** Whether that user can reach the folder: each parent must let it pass. A 0700 home or temporary folder does not. */
export async function canReach(folder: string, identity: ServerIdentity | null): Promise<boolean> {
  if (!identity) return true;
  const parts = path.resolve(folder).split(path.sep);
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join(path.sep) || path.sep;
    const info = await stat(part).catch(() => null);
    if (!info) return true;
    const isOpen =
      (info.mode & 0o001) !== 0 ||
      (info.uid === identity.uid && (info.mode & 0o100) !== 0) ||
      (info.gid === identity.gid && (info.mode & 0o010) !== 0);
    if (!isOpen) return false;
  }
  return true;
}

/** The folder that root shares with the server's user where the installation's own folders are private; returns its path. */
export async function ensureSharedFolder(): Promise<string> {
  const folder = '/var/lib/pulsewire';
  await mkdir(folder, { recursive: true });
  // Independent of the umask: other users must be able to traverse it, and it contains no readable files itself.
  await chmod(folder, 0o755);
  return folder;
}
