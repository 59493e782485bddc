import { and, eq } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Database, type Tx } from '@pulsewire/database';
import { jsonEvent, withEvents, type Emit } from '@pulsewire/eventlog';
import { failConnection } from '../connection-status/stop.ts';
import type { ConnectionFailure } from '../model/connection.ts';
import { connectionTokens } from '../model/tables.ts';
import { connectionErrorEvent } from '../connection-status/events.ts';

// Two statements: only a statement that starts after the lock sees the tokens of a link that was in progress.
async function holdsTokens({ sql, orm }: Tx, connectionId: string, version: bigint): Promise<boolean> {
  await sql`SELECT 1 FROM connections WHERE connection_id = ${connectionId} FOR UPDATE`;
  const { tokenVersion } = connectionTokens;
  const isVersion = and(eq(connectionTokens.connectionId, connectionId), eq(tokenVersion, version));
  const rows = await run(orm.select({ tokenVersion }).from(connectionTokens).where(isVersion));
  return rows.length > 0;
}

/**
 * Stops a connected connection until the user links it again, and emits `provider.connection.error` once. Returns false, and writes
 * nothing, when the status is set already or the failed tokens are no longer the current ones.
 */
export async function markConnectionErrorInTx(
  tx: Tx,
  emit: Emit,
  clock: Clock,
  connectionId: string,
  failure: ConnectionFailure,
): Promise<boolean> {
  if (failure.tokenVersion !== undefined && !(await holdsTokens(tx, connectionId, failure.tokenVersion))) return false;
  const row = await failConnection(tx, connectionId, failure, clock.now());
  if (!row) return false;
  emit(jsonEvent(connectionErrorEvent(row, failure)));
  return true;
}

/** `markConnectionErrorInTx` in a transaction of its own. */
export function markConnectionError(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  connectionId: string,
  failure: ConnectionFailure,
): Promise<boolean> {
  return withEvents(database, (tx, emit) => markConnectionErrorInTx(tx, emit, clock, connectionId, failure));
}
