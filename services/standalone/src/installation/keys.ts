import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, randomBase62 } from '@pulsewire/kernel';

/** Secrets of this installation, made at the first start and kept in its data folder. */
export interface InstallationKeys {
  /** As the other processes take it in ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  readonly linkTokenSecret: string;
  readonly teamApiKey: string;
}

const fileName = 'keys.json';

function makeKeys(): InstallationKeys {
  return {
    encryptionKeys: `1:${randomBytes(32).toString('base64')}`,
    linkTokenSecret: randomBytes(32).toString('base64url'),
    teamApiKey: `sk_${randomBase62(40)}`,
  };
}

/** Reads the keys, making them at the first start. Throws AppError `keys_unreadable` rather than make new ones over a damaged file. */
export async function loadKeys(dataDir: string): Promise<{ readonly keys: InstallationKeys; readonly isNew: boolean }> {
  const file = path.join(dataDir, fileName);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) {
    const keys = makeKeys();
    await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return { keys, isNew: true };
  }
  try {
    const keys = JSON.parse(text) as InstallationKeys;
    if (keys.encryptionKeys && keys.linkTokenSecret && keys.teamApiKey) return { keys, isNew: false };
  } catch {
    // Falls through to the one answer for whatever is wrong with it.
  }
  throw new AppError({
    code: 'keys_unreadable',
    kind: 'invalid',
    message: `${file} is damaged. Stored tokens cannot be read without it: restore it from a copy.`,
  });
}
