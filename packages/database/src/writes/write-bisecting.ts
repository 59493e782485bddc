import { errorCode } from '@pulsewire/kernel';
import type { Tx } from '../client.ts';
import { isDataError } from './data-error.ts';
import { savepoint } from './savepoint.ts';

/** An item whose values Postgres refused, and the SQLSTATE. */
export interface Refused<T> {
  readonly item: T;
  readonly code: string;
}

/**
 * Writes items in as few statements as possible. Items whose values Postgres refuses are found by halving; all others are written. Each
 * half runs in its own savepoint, so no part of a refused item remains. Throws every error that is not a data error.
 */
export async function writeBisecting<T>(
  tx: Tx,
  items: readonly T[],
  write: (inner: Tx, some: readonly T[]) => Promise<unknown>,
): Promise<readonly Refused<T>[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    await savepoint(tx, (inner) => write(inner, items));
    return [];
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (items.length === 1) return [{ item: first, code: errorCode(error) }];
    const middle = items.length >> 1;
    const refused = await writeBisecting(tx, items.slice(0, middle), write);
    return [...refused, ...(await writeBisecting(tx, items.slice(middle), write))];
  }
}
