import { and, eq, sql } from 'drizzle-orm';
import { AppError, uuidv7, type Clock } from '@pulsewire/kernel';
import { connectionForIntake, ensureManualLink, type LinkContext } from '@pulsewire/connections';
import { databaseNow, run, type Database } from '@pulsewire/database';
import { drawVersion } from '@pulsewire/store';
import type { PhoneProvider } from '@pulsewire/providers';
import { sealBatch, type BatchCipher } from '../model/seal-batch.ts';
import { phoneBatches } from '../model/tables.ts';

export interface ReceiveContext {
  readonly database: Database;
  readonly cipher: BatchCipher;
  readonly clock: Clock;
  readonly links: LinkContext;
}

export interface ReceivedBatch {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: PhoneProvider;
  readonly body: Buffer;
  readonly traceId: string | null;
}

/** Most waiting batches of one user; a phone keeps its data when it gets a 503. */
const waitingMax = 500;

const { userId: ofUser, teamId: ofTeam, state } = phoneBatches;

/**
 * Stores a batch as received, to be processed in order; the first batch of a phone connects its health store. Throws AppError
 * `batches_waiting` (503) when too many of this user wait, `source_not_active` (403) while the connection is paused, and the errors of
 * linking.
 */
export async function receiveBatch(context: ReceiveContext, { teamId, userId, provider, body, traceId }: ReceivedBatch): Promise<string> {
  const { database, cipher, clock } = context;
  const version = await drawVersion(database);
  const known = await connectionForIntake(database, teamId, userId, provider);
  if (known && known.status !== 'connected')
    throw new AppError({ code: 'source_not_active', kind: 'forbidden', message: 'The connection to this source is paused or in error' });
  // A phone has no provider account, so the user's own id stands for it.
  if (!known) await ensureManualLink(context.links, { teamId, userId, provider, providerUserId: userId, traceId });
  const isWaiting = and(eq(ofTeam, teamId), eq(ofUser, userId), sql`${state} = 'received'`);
  const [waiting] = await run(
    database.orm
      .select({ count: sql<number>`count(*)::int` })
      .from(phoneBatches)
      .where(isWaiting),
  );
  if ((waiting?.count ?? 0) >= waitingMax)
    throw new AppError({
      code: 'batches_waiting',
      kind: 'unavailable',
      message: 'Too many pending batches for this user; retry later',
      retryable: true,
      retryAfterMs: 30_000,
    });
  const now = clock.now();
  const batchId = uuidv7(now.getTime());
  const sealed = await sealBatch(cipher, { batchId, userId }, body);
  const at = now.toISOString();
  await run(
    database.orm.insert(phoneBatches).values({
      batchId,
      teamId,
      userId,
      provider,
      version,
      body: sealed,
      bodyBytes: body.length,
      state: 'received',
      dueAt: databaseNow,
      receivedAt: at,
    }),
  );
  return batchId;
}
