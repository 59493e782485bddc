import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@pulsewire/kernel';
import type { Binaries } from './binaries.ts';
import { canReach, ensureSharedFolder, type ServerIdentity } from './identity.ts';

/** A database cluster on disk. */
export interface Cluster {
  readonly folder: string;
  readonly password: string;
}

/** The superuser of the embedded cluster. */
export const clusterUser = 'pulsewire';

async function exists(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}

/**
 * Makes sure that `dataDir` holds a cluster, and a password that only its owner can read. When run as root below a private folder, the
 * cluster is created in `/var/lib/pulsewire`, where the unprivileged user can reach it.
 */
export async function ensureCluster(dataDir: string, binaries: Binaries, identity: ServerIdentity | null): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true });
  const passwordFile = path.join(dataDir, 'postgres.password');
  const folder = await clusterFolder(dataDir, identity);
  if (!(await exists(passwordFile))) await writeFile(passwordFile, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 });
  const password = (await readFile(passwordFile, 'utf8')).trim();
  if (!(await exists(path.join(folder, 'PG_VERSION')))) await initialise(folder, password, binaries, identity);
  return { folder, password };
}

async function clusterFolder(dataDir: string, identity: ServerIdentity | null): Promise<string> {
  if (await canReach(dataDir, identity)) return path.join(dataDir, 'postgres');
  const key = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 12);
  return path.join(await ensureSharedFolder(), `cluster-${key}`);
}

// initdb fills a folder of another name, so that a start killed halfway leaves nothing that looks like a cluster.
async function initialise(folder: string, password: string, binaries: Binaries, identity: ServerIdentity | null): Promise<void> {
  const half = `${folder}.initialising`;
  await rm(half, { recursive: true, force: true });
  await mkdir(half);
  await chmod(half, 0o700);
  const passwordInput = `${half}.password`;
  await writeFile(passwordInput, password, { mode: 0o600 });
  if (identity) {
    await chown(half, identity.uid, identity.gid);
    await chown(passwordInput, identity.uid, identity.gid);
  }
  const flags = [
    '-D',
    half,
    '-U',
    clusterUser,
    '--pwfile',
    passwordInput,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  try {
    await runOnce(binaries.initdb, flags, identity);
  } finally {
    await rm(passwordInput, { force: true });
  }
  await rename(half, folder);
}

function runOnce(program: string, args: readonly string[], identity: ServerIdentity | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: '/',
      ...(identity && { uid: identity.uid, gid: identity.gid }),
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve();
      reject(new AppError({ code: 'embedded_init_failed', kind: 'unavailable', message: `initdb failed: ${stderr.trim()}` }));
    });
  });
}
