import { and, eq, gt, sql } from 'drizzle-orm';
import { uuidv7, type Clock } from '@pulsewire/kernel';
import { lockUser, removeConnection } from '@pulsewire/connections';
import { databaseNow, run, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { drawVersion } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { sealBatch } from '../model/seal-batch.ts';
import { phoneBatches } from '../model/tables.ts';
import type { ReceiveContext } from './receive-batch.ts';

/** The body of a sign-out that waits behind the batches which the phone has sent before. */
const signOutBody = { signOut: true };

export const isSignOut = (body: unknown): boolean => (body as { readonly signOut?: unknown } | null)?.signOut === true;

const waitingOf = ({ teamId, userId, provider }: PhoneOwner) =>
  and(
    eq(phoneBatches.teamId, teamId),
    eq(phoneBatches.userId, userId),
    eq(phoneBatches.provider, provider),
    sql`${phoneBatches.state} = 'received'`,
  );

async function disconnect(tx: Tx, emit: Emit, clock: Clock, { teamId, userId, provider }: PhoneOwner): Promise<void> {
  const { clientUserId } = await lockUser(tx, teamId, userId);
  await removeConnection(tx, emit, { clock }, { teamId, userId, provider, clientUserId, reason: 'deregistered' });
}

/**
 * Disconnects a health store because its phone has signed out; harmless when it is not connected. What the phone has sent before is stored
 * first: behind waiting batches the sign-out waits for its turn. Throws AppError `user_not_found` and `user_deleted`.
 */
export async function signPhoneOut({ database, cipher, clock }: ReceiveContext, owner: PhoneOwner): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    const { teamId, userId, provider } = owner;
    await lockUser(tx, teamId, userId);
    const [first] = await run(
      tx.orm
        .select({ one: sql`1` })
        .from(phoneBatches)
        .where(waitingOf(owner))
        .limit(1),
    );
    if (!first) return disconnect(tx, emit, clock, owner);
    const now = clock.now();
    const [batchId, at, body] = [uuidv7(now.getTime()), now.toISOString(), Buffer.from(JSON.stringify(signOutBody))];
    await run(
      tx.orm.insert(phoneBatches).values({
        batchId,
        teamId,
        userId,
        provider,
        version: await drawVersion(tx),
        body: await sealBatch(cipher, { batchId, userId }, body),
        bodyBytes: body.length,
        state: 'received',
        dueAt: databaseNow,
        receivedAt: at,
      }),
    );
  });
}

/** Applies a sign-out whose turn has come, unless the phone has signed in again and sent data since. */
export async function applySignOut(tx: Tx, emit: Emit, clock: Clock, owner: PhoneOwner & { readonly version: bigint }): Promise<void> {
  const [later] = await run(
    tx.orm
      .select({ one: sql`1` })
      .from(phoneBatches)
      .where(and(waitingOf(owner), gt(phoneBatches.version, owner.version)))
      .limit(1),
  );
  if (!later) await disconnect(tx, emit, clock, owner);
}
