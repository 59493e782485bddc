import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startEmbeddedServer } from '@pulsewire/database';
import { folderError } from '../../../services/standalone/src/installation/folder-error.ts';
import { takeDataDir } from '../../../services/standalone/src/installation/owner-lock.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function freshFolder(mode: number): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'data-folder-'));
  folders.push(folder);
  await chmod(folder, mode);
  return folder;
}

/** Root may write everywhere, so root acts as `nobody`. */
async function asOrdinaryUser<T>(act: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return act();
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

it.each(['', 'below/it'])('names the user that may not write to DATA_DIR (%j)', async (below) => {
  const folder = await freshFolder(0o555);
  const [error, user] = await asOrdinaryUser(async () => [
    await takeDataDir(path.join(folder, below)).catch((caught: unknown) => caught),
    os.userInfo().username,
  ]);
  expect(error).toMatchObject({
    code: 'data_dir_not_writable',
    message: expect.stringContaining(`not writable by user ${user}.`),
  });
});

it('says that DATA_DIR is not a folder', async () => {
  const file = path.join(await freshFolder(0o755), 'file');
  await writeFile(file, '');
  await expect(takeDataDir(file)).rejects.toMatchObject({ code: 'data_dir_no_folder' });
});

// Node's own creation of folders with their parents never ends there.
it('refuses a DATA_DIR where no folder can be created', async () => {
  const [error] = await asOrdinaryUser(async () => [await takeDataDir('/proc/nope/data').catch((caught: unknown) => caught)]);
  expect(error).toMatchObject({ code: 'data_dir_no_folder', message: expect.stringContaining('cannot be created there') });
});

it('calls the copy of a running installation a copy, although it contains the lock of that installation', async () => {
  const folder = await freshFolder(0o755);
  const lock = await takeDataDir(folder);
  const server = await startEmbeddedServer({ dataDir: folder, settings: { shared_buffers: '16MB' } });
  const copy = path.join(await freshFolder(0o755), 'copy');
  await cp(folder, copy, { recursive: true });
  await expect(takeDataDir(copy)).rejects.toMatchObject({ code: 'data_dir_copied' });
  await server.stop();
  await lock.release();
});

it.each([
  Object.assign(new Error('write'), { code: 'ENOSPC' }),
  Object.assign(new Error('could not extend file'), { code: '53100' }),
  new Error('initdb failed: could not write to file: No space left on device'),
])('states the sizes when the disk of DATA_DIR is full (%s)', async (error) => {
  const folder = await freshFolder(0o755);
  const message = expect.stringMatching(
    /^The disk of DATA_DIR .* is full: \d+ MB are free, and a new installation needs about \d+ MB\./,
  ) as string;
  expect(folderError(error, folder)).toMatchObject({ code: 'disk_full', message });
});
