import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errorCode, randomBase62 } from '@pulsewire/kernel';

/** Secrets of this installation, created at the first start and stored in its data folder. */
export interface InstallationKeys {
  /** In the format of ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  readonly linkTokenSecret: string;
  readonly teamApiKey: string;
}

const keysFile = (dataDir: string) => path.join(dataDir, 'keys.json');

function makeKeys(): InstallationKeys {
  return {
    encryptionKeys: `1:${randomBytes(32).toString('base64')}`,
    linkTokenSecret: randomBytes(32).toString('base64url'),
    teamApiKey: `sk_${randomBase62(40)}`,
  };
}

/** The keys in a data folder; null when there are none. Throws AppError `keys_unreadable` for a damaged file. */
export async function readKeys(dataDir: string): Promise<InstallationKeys | null> {
  const file = keysFile(dataDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new AppError({ code: 'keys_unreadable', kind: 'invalid', message: `${file} cannot be read (${errorCode(error)})`, cause: error });
  }
  try {
    const keys = JSON.parse(text) as InstallationKeys;
    if (keys.encryptionKeys && keys.linkTokenSecret && keys.teamApiKey) return keys;
  } catch {
    // The same error for every kind of damage.
  }
  throw new AppError({
    code: 'keys_unreadable',
    kind: 'invalid',
    message: `${file} is damaged. Stored tokens cannot be read without it: restore it from a copy.`,
  });
}

/**
 * Reads the keys, or creates them at the first start. `isEncrypted`: whether the database already contains encrypted values; new keys would
 * make these unreadable, so it throws AppError `keys_missing`.
 */
export async function loadOrMakeKeys(dataDir: string, isEncrypted: () => Promise<boolean>): Promise<InstallationKeys> {
  const known = await readKeys(dataDir);
  if (known !== null) return known;
  if (await isEncrypted()) {
    throw new AppError({
      code: 'keys_missing',
      kind: 'invalid',
      message: `${keysFile(dataDir)} is missing, but this database holds values encrypted with its keys. Set DATA_DIR to the folder that this database was used with, or restore the file from a copy`,
    });
  }
  const keys = makeKeys();
  await writeFile(keysFile(dataDir), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return keys;
}

/** Replaces the API key in the data folder, so that the next start uses it. */
export async function saveTeamApiKey(dataDir: string, teamApiKey: string): Promise<void> {
  const keys = await readKeys(dataDir);
  if (keys === null) return;
  const file = keysFile(dataDir);
  await writeFile(`${file}.tmp`, `${JSON.stringify({ ...keys, teamApiKey }, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}
