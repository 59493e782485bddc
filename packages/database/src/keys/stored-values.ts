import { errorCode } from '@pulsewire/kernel';
import type { Executor } from '../client.ts';
import { createCipher, type CipherKeys } from './cipher.ts';
import type { SealedColumn } from './rotate-sealed.ts';

interface StoredValue {
  readonly sealed: Buffer;
  readonly context: string[];
}

async function anyValue({ sql }: Executor, { table, column, contextColumns }: SealedColumn): Promise<StoredValue | undefined> {
  const parts = contextColumns.map((name) => sql`${sql(name)}::text`);
  const context = parts.reduce((list, part, place) => (place === 0 ? part : sql`${list}, ${part}`), sql``);
  const [row] = await sql<StoredValue[]>`
    SELECT ${sql(column)} AS sealed, ARRAY[${context}]::text[] AS context FROM ${sql(table)} WHERE ${sql(column)} IS NOT NULL LIMIT 1`;
  return row;
}

/**
 * Ids of keys that do not open what is stored: one value of each column is tried. For a database from before keys were recorded, where
 * nothing else reveals a wrong key.
 */
export async function keysThatDoNotOpen(
  executor: Executor,
  keys: CipherKeys,
  columns: readonly SealedColumn[],
): Promise<readonly number[]> {
  const cipher = createCipher(keys);
  const wrong = new Set<number>();
  for (const column of columns) {
    const value = await anyValue(executor, column);
    if (value === undefined) continue;
    try {
      cipher.openBytes(value.sealed, column.context(value.context));
    } catch (error) {
      if (errorCode(error) === 'cipher_broken' || errorCode(error) === 'cipher_key_unknown') wrong.add(cipher.keyIdOf(value.sealed));
      else throw error;
    }
  }
  return [...wrong].toSorted((a, b) => a - b);
}
