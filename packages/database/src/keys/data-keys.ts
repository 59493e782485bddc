import { randomBytes } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import type { Database, Executor } from '../client.ts';
import type { Kms } from './kms/kms.ts';

/** A data key as it is stored. */
export interface DataKeyRow {
  readonly key_id: number;
  readonly wrapped: Buffer;
  readonly kms_key: string;
  readonly kms_key_version: number;
  readonly is_active: boolean;
}

const keyBytes = 32;
const keyIdMax = 255;

const contextOf = (keyId: number) => `pulsewire encryption key ${keyId}`;

export function readDataKeys({ sql }: Executor): Promise<readonly DataKeyRow[]> {
  return sql<DataKeyRow[]>`SELECT key_id, wrapped, kms_key, kms_key_version, is_active FROM encryption_data_keys ORDER BY key_id`;
}

/** Decrypts a stored data key. Throws AppError as the KMS does, and `kms_key_wrong` for a key that another KMS key encrypted. */
export async function unwrapDataKey(kms: Kms, row: DataKeyRow): Promise<Buffer> {
  if (row.kms_key !== kms.keyName) {
    throw new AppError({
      code: 'kms_key_wrong',
      kind: 'invalid',
      message: `Data key ${row.key_id} is encrypted with ${row.kms_key}, but ${kms.keyName} is configured`,
    });
  }
  const key = await kms.unwrap(row.wrapped, contextOf(row.key_id));
  if (key.length === keyBytes) return key;
  throw new AppError({
    code: 'kms_answer_invalid',
    kind: 'invalid',
    message: `The KMS gave a data key ${row.key_id} of ${key.length} bytes instead of ${keyBytes}`,
  });
}

/** Stores a new data key under this id, unless another process was first. Gives whether it did. */
export async function addDataKey({ sql }: Executor, kms: Kms, keyId: number, isActive: boolean): Promise<boolean> {
  const { wrapped, version } = await kms.wrap(randomBytes(keyBytes), contextOf(keyId));
  const rows = await sql`
    INSERT INTO encryption_data_keys (key_id, wrapped, kms_key, kms_key_version, is_active)
    VALUES (${keyId}, ${wrapped}, ${kms.keyName}, ${version}, ${isActive}) ON CONFLICT DO NOTHING RETURNING key_id`;
  return rows.length > 0;
}

/**
 * Adds a data key that opens values but does not seal yet, and gives its id: above every id that was ever used here, and above
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

/** Lets a data key seal from the next start of each process on. Gives whether there is such a key. */
export async function activateDataKey({ sql }: Executor, keyId: number): Promise<boolean> {
  return (await sql`UPDATE encryption_data_keys SET is_active = true WHERE key_id = ${keyId} RETURNING key_id`).length > 0;
}

/** Encrypts every data key anew with the current version of the KMS key; the data keys stay the same. Gives what was encrypted. */
export async function rewrapDataKeys(
  database: Database,
  kms: Kms,
): Promise<readonly { readonly keyId: number; readonly from: number; readonly to: number }[]> {
  const done: { keyId: number; from: number; to: number }[] = [];
  for (const row of await readDataKeys(database)) {
    const { wrapped, version } = await kms.wrap(await unwrapDataKey(kms, row), contextOf(row.key_id));
    await database.sql`
      UPDATE encryption_data_keys SET wrapped = ${wrapped}, kms_key_version = ${version}, wrapped_at = now()
      WHERE key_id = ${row.key_id} AND wrapped = ${row.wrapped}`;
    done.push({ keyId: row.key_id, from: row.kms_key_version, to: version });
  }
  return done;
}

/** Removes data keys that seal nothing any more. */
export async function retireDataKeys({ sql }: Executor, currentKeyId: number): Promise<void> {
  await sql`DELETE FROM encryption_data_keys WHERE key_id < ${currentKeyId}`;
}
