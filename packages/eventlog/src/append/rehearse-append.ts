import { savepoint, type Tx } from '@pulsewire/database';
import { appendEvents } from './append.ts';
import type { NewEvent } from '../model/types.ts';

/** Rolls the rehearsal back. */
class RehearsedError extends Error {
  override readonly name = 'RehearsedError';
}

/**
 * Appends events and rolls them back: throws the error that the log would throw at the end of the transaction, and leaves no counter
 * locked.
 */
export async function rehearseAppend(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await savepoint(tx, async (inner) => {
    await appendEvents(inner, events);
    throw new RehearsedError('Rehearsed, and rolled back');
  }).catch((error: unknown) => {
    if (!(error instanceof RehearsedError)) throw error;
  });
}
