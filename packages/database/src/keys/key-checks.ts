import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, errorCode } from '@pulsewire/kernel';
import { lt } from 'drizzle-orm';
import type { Database, Executor } from '../client.ts';
import { createCipher, type Cipher, type CipherKeys } from './cipher.ts';
import { retireDataKeys } from './data-keys.ts';
import { textKeys, type KeySource } from './key-source.ts';
import type { SealedColumn } from './rotate-sealed.ts';
import { keysThatDoNotOpen } from './stored-values.ts';
import { run } from '../run.ts';
import { encryptionKeyChecks } from '../tables.ts';

type CheckRow = Pick<typeof encryptionKeyChecks.$inferSelect, 'keyId' | 'checkValue'>;

// A MAC of 256 random bits reveals nothing about them, so it may be stored in the clear.
function checkValueOf(keyId: number, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`pulsewire encryption key ${keyId}`).digest();
}

function keyError(code: 'encryption_key_wrong' | 'encryption_key_missing', message: string, keyIds: readonly number[]): AppError {
  return new AppError({ code, kind: 'invalid', message, details: { keyIds } });
}

function wrongKeys(ids: readonly number[]): AppError {
  return keyError(
    'encryption_key_wrong',
    `Encryption key ${ids.join(', ')} is not the one that this database was encrypted with. Restore the original key; nothing was written`,
    ids,
  );
}

function assertKeysMatch(rows: readonly CheckRow[], keys: CipherKeys): void {
  const wrong = rows.filter(({ keyId: id, checkValue: value }) => {
    const key = keys.get(id);
    return key !== undefined && !timingSafeEqual(checkValueOf(id, key), value);
  });
  if (wrong.length > 0) throw wrongKeys(wrong.map((row) => row.keyId));
  const missing = rows.filter((row) => !keys.has(row.keyId)).map((row) => row.keyId);
  if (missing.length > 0) {
    throw keyError(
      'encryption_key_missing',
      `This database holds values encrypted with key ${missing.join(', ')}, which is not configured. Add it to ENCRYPTION_KEYS, or restore encryption_data_keys when it was a key of the KMS`,
      missing,
    );
  }
}

function readChecks({ orm }: Executor): Promise<readonly CheckRow[]> {
  const { keyId, checkValue } = encryptionKeyChecks;
  return run(orm.select({ keyId, checkValue }).from(encryptionKeyChecks).orderBy(keyId));
}

/**
 * Compares the keys with the check values in the database and records a new current key. The first process of an installation records all
 * of its keys, once they open a stored value of each of these columns. Throws AppError `encryption_key_wrong` when a key has the id of a
 * different key, and `encryption_key_missing` when a key that is in use is not configured.
 */
export async function verifyCipherKeys(
  database: Database,
  keys: CipherKeys,
  columns: readonly SealedColumn[],
  current: number = Math.max(...keys.keys()),
): Promise<void> {
  const known = await readChecks(database);
  assertKeysMatch(known, keys);
  if (known.some((row) => row.keyId === current)) return;
  if (known.length === 0) {
    const wrong = await keysThatDoNotOpen(database, keys, columns);
    if (wrong.length > 0) throw wrongKeys(wrong);
  }
  // An older key without a check value has been retired by a rotation; only a database without any still needs all of them.
  const added = [...keys].filter(([id]) => known.length === 0 || id === current);
  if (added.length > 0) {
    const rows = added.map(([keyId, key]) => ({ keyId, checkValue: checkValueOf(keyId, key) }));
    await run(database.orm.insert(encryptionKeyChecks).values(rows).onConflictDoNothing());
  }
  // Another process may have recorded its key first.
  assertKeysMatch(await readChecks(database), keys);
}

/**
 * The cipher of the keys of a source, or of keys given as text (`1:<base64>,…`), after checking that they belong to this database.
 * `columns`: the sealed columns of the process, used to test the keys when none is recorded yet. Throws as the source and
 * `verifyCipherKeys` do.
 */
export async function openCipher(database: Database, source: KeySource | string, columns: readonly SealedColumn[] = []): Promise<Cipher> {
  const { keys, sealingKeyId } = await (typeof source === 'string' ? textKeys(source) : source).load();
  await verifyCipherKeys(database, keys, columns, sealingKeyId);
  return createCipher(keys, sealingKeyId);
}

const undefinedTable = '42P01';

/**
 * Compares the keys of a source with the check values in the database and records nothing, also before the schema is migrated: a database
 * without check values accepts any keys. Throws as `verifyCipherKeys` does.
 */
export async function checkCipherKeys(database: Database, source: KeySource): Promise<void> {
  try {
    assertKeysMatch(await readChecks(database), (await source.load()).keys);
  } catch (error) {
    if (errorCode(error) !== undefinedTable) throw error;
  }
}

/** Whether a key was ever recorded here: then values may be encrypted, and a new key in its place would make them unreadable. */
export async function hasCipherKeys(executor: Executor): Promise<boolean> {
  return (await readChecks(executor)).length > 0;
}

/** Deletes the check values of keys that no longer seal any value, so that they may be removed from the configuration. */
export async function retireCipherKeys(executor: Executor, currentKeyId: number): Promise<void> {
  await retireDataKeys(executor, currentKeyId);
  await run(executor.orm.delete(encryptionKeyChecks).where(lt(encryptionKeyChecks.keyId, currentKeyId)));
}
