import { randomBytes } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Database, Executor } from '../client.ts';
import type { Kms } from './kms/kms.ts';
import { run } from '../run.ts';
import { encryptionDataKeys } from '../tables.ts';

/** A data key as it is stored. */
export type DataKeyRow = Pick<typeof encryptionDataKeys.$inferSelect, 'keyId' | 'wrapped' | 'kmsKey' | 'kmsKeyVersion' | 'isActive'>;

const keyBytes = 32;
const keyIdMax = 255;

const contextOf = (keyId: number) => `pulsewire encryption key ${keyId}`;

export function readDataKeys({ orm }: Executor): Promise<readonly DataKeyRow[]> {
  const { keyId, wrapped, kmsKey, kmsKeyVersion, isActive } = encryptionDataKeys;
  return run(orm.select({ keyId, wrapped, kmsKey, kmsKeyVersion, isActive }).from(encryptionDataKeys).orderBy(keyId));
}

/** Decrypts a stored data key. Throws AppError as the KMS does, and `kms_key_wrong` for a key that another KMS key encrypted. */
export async function unwrapDataKey(kms: Kms, row: DataKeyRow): Promise<Buffer> {
  if (row.kmsKey !== kms.keyName) {
    throw new AppError({
      code: 'kms_key_wrong',
      kind: 'invalid',
      message: `Data key ${row.keyId} is encrypted with ${row.kmsKey}, but ${kms.keyName} is configured`,
    });
  }
  const key = await kms.unwrap(row.wrapped, contextOf(row.keyId));
  if (key.length === keyBytes) return key;
  throw new AppError({
    code: 'kms_response_invalid',
    kind: 'invalid',
    message: `The KMS returned a data key ${row.keyId} of ${key.length} bytes instead of ${keyBytes}`,
  });
}

/** Stores a new data key under this id, unless another process stored one first. Returns whether this call stored it. */
export async function addDataKey({ orm }: Executor, kms: Kms, keyId: number, isActive: boolean): Promise<boolean> {
  const { wrapped, version } = await kms.wrap(randomBytes(keyBytes), contextOf(keyId));
  const row = { keyId, wrapped, kmsKey: kms.keyName, kmsKeyVersion: version, isActive };
  const rows = await run(orm.insert(encryptionDataKeys).values(row).onConflictDoNothing().returning({ keyId: encryptionDataKeys.keyId }));
  return rows.length > 0;
}

/**
 * Adds a data key that opens values but does not seal yet, and returns its id: above every id that was ever used here, and above
 * `usedIds`. Throws AppError `encryption_key_ids_used_up`.
 */
export async function newDataKey(database: Database, kms: Kms, usedIds: Iterable<number>): Promise<number> {
  for (;;) {
    const [row] = await database.sql<{ highest: number }[]>`
      SELECT greatest((SELECT max(key_id) FROM encryption_data_keys), (SELECT max(key_id) FROM encryption_key_checks), 0)::int AS highest`;
    const keyId = Math.max(row?.highest ?? 0, ...usedIds) + 1;
    if (keyId > keyIdMax) {
      throw new AppError({ code: 'encryption_key_ids_used_up', kind: 'conflict', message: `Key ids end at ${keyIdMax}` });
    }
    if (await addDataKey(database, kms, keyId, false)) return keyId;
  }
}

/** Marks a data key as the sealing one; each process uses it from its next start. Returns whether the key exists. */
export async function activateDataKey({ orm }: Executor, keyId: number): Promise<boolean> {
  const isThis = eq(encryptionDataKeys.keyId, keyId);
  const rows = await run(
    orm.update(encryptionDataKeys).set({ isActive: true }).where(isThis).returning({ keyId: encryptionDataKeys.keyId }),
  );
  return rows.length > 0;
}

/** Encrypts every data key anew with the current version of the KMS key; the data keys stay the same. Returns what was encrypted. */
export async function rewrapDataKeys(
  database: Database,
  kms: Kms,
): Promise<readonly { readonly keyId: number; readonly from: number; readonly to: number }[]> {
  const done: { keyId: number; from: number; to: number }[] = [];
  for (const row of await readDataKeys(database)) {
    const { wrapped, version } = await kms.wrap(await unwrapDataKey(kms, row), contextOf(row.keyId));
    const isUnchanged = and(eq(encryptionDataKeys.keyId, row.keyId), eq(encryptionDataKeys.wrapped, row.wrapped));
    await run(
      database.orm
        .update(encryptionDataKeys)
        .set({ wrapped, kmsKeyVersion: version, wrappedAt: sql`now()` })
        .where(isUnchanged),
    );
    done.push({ keyId: row.keyId, from: row.kmsKeyVersion, to: version });
  }
  return done;
}

/** Deletes data keys that no longer seal any value. */
export async function retireDataKeys({ orm }: Executor, currentKeyId: number): Promise<void> {
  await run(orm.delete(encryptionDataKeys).where(lt(encryptionDataKeys.keyId, currentKeyId)));
}
