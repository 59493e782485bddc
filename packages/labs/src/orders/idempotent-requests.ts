import { createHash, createHmac, randomUUID } from 'node:crypto';
import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { AppError, silentLogger } from '@pulsewire/kernel';
import { afterMs, keepLease, run, type Executor } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import { refused } from '../model/errors.ts';
import { labRequests } from '../model/order-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import { readTeamKey } from './sealed/team-key.ts';

/** A request whose process has not renewed it for this long is considered dead, and may be repeated. */
const leaseMs = 10_000;
/** Allows for a missed renewal. */
const renewMs = 2500;

export interface RequestId {
  readonly teamId: string;
  readonly endpoint: string;
  /** As the client sent it. */
  readonly key: string;
}

/** The right to run a request; its writes commit only while no other process has taken it over. */
export interface RequestClaim {
  readonly teamId: string;
  readonly endpoint: string;
  readonly keyHash: string;
  readonly attemptId: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

const whereOf = ({ teamId, endpoint, keyHash }: Omit<RequestClaim, 'attemptId'>) =>
  and(eq(labRequests.teamId, teamId), eq(labRequests.endpoint, endpoint), eq(labRequests.keyHash, keyHash));

function sealContextOf({ teamId, endpoint, keyHash }: Omit<RequestClaim, 'attemptId'>): string {
  return labSealContext('lab_requests', teamId, endpoint, keyHash);
}

/** JSON with sorted keys and without fields that are null, so that equivalent bodies have the same text: a null field means an absent one. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    const given = Object.entries(item).filter(([, field]) => field !== null);
    return Object.fromEntries(given.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * Claims a request for its first execution, or returns the response of that execution. Throws AppErrors `request_running` (409) while it
 * runs elsewhere, and `idempotency_key_reused` (400) for another payload.
 */
export async function claimRequest(
  context: LabsContext,
  { teamId, endpoint, key }: RequestId,
  payload: unknown,
  keptMs: number,
): Promise<RequestClaim | StoredResponse> {
  const { database, cipher, clock } = context;
  const now = clock.now();
  const payloadHash = createHmac('sha256', await readTeamKey(database, context, teamId))
    .update(canonical(payload))
    .digest('hex');
  const claim = { teamId, endpoint, keyHash: createHash('sha256').update(key).digest('hex'), attemptId: randomUUID() };
  const values = { ...claim, payloadHash, runningUntil: afterMs(leaseMs), expiresAt: new Date(now.getTime() + keptMs) };
  await run(database.orm.delete(labRequests).where(and(whereOf(claim), lt(labRequests.expiresAt, now))));
  const inserted = await run(
    database.orm.insert(labRequests).values(values).onConflictDoNothing().returning({ id: labRequests.attemptId }),
  );
  if (inserted.length > 0) return claim;
  const isRunning = sql<boolean>`${labRequests.runningUntil} > now()`;
  const columns = { ...getTableColumns(labRequests), isRunning };
  const [known] = await run(database.orm.select(columns).from(labRequests).where(whereOf(claim)));
  const running = new AppError({ code: 'request_running', kind: 'conflict', message: 'A request with this idempotency key is running' });
  if (!known) throw running;
  if (known.status !== null && known.payloadHash !== payloadHash)
    throw refused('idempotency_key_reused', 'The idempotency key was used with another body');
  if (known.status !== null && known.response !== null)
    return { status: known.status, body: cipher.open(known.response, sealContextOf(claim)) };
  if (known.isRunning) throw running;
  // Its process was killed, and its uncommitted work is lost.
  const stale = and(whereOf(claim), eq(labRequests.attemptId, known.attemptId));
  const taken = await run(
    database.orm
      .update(labRequests)
      .set({ ...values, status: null, response: null })
      .where(stale)
      .returning({ id: labRequests.attemptId }),
  );
  if (taken.length === 0) throw running;
  return claim;
}

/**
 * Stores the response for repeats, in the transaction of the work. Throws AppError `request_running` when another process has taken over.
 */
export async function completeRequest(
  { orm }: Executor,
  { cipher }: Pick<LabsContext, 'cipher'>,
  claim: RequestClaim,
  response: StoredResponse & { readonly userId: string | null },
): Promise<void> {
  const { status, body, userId } = response;
  const sealed = cipher.seal(body, sealContextOf(claim));
  const mine = and(whereOf(claim), eq(labRequests.attemptId, claim.attemptId));
  const completed = await run(
    orm.update(labRequests).set({ status, response: sealed, userId }).where(mine).returning({ id: labRequests.attemptId }),
  );
  if (completed.length === 0)
    throw new AppError({ code: 'request_running', kind: 'conflict', message: 'A request with this idempotency key is running' });
}

/**
 * Runs the work of a claimed request and keeps the claim meanwhile. A renewal that fails or comes too late loses the claim; the work then cannot
 * commit, because `completeRequest` throws.
 */
export async function whileClaimed<T>({ database }: LabsContext, claim: RequestClaim, work: () => Promise<T>): Promise<T> {
  const mine = and(whereOf(claim), eq(labRequests.attemptId, claim.attemptId));
  const renew = async () =>
    (
      await run(
        database.orm
          .update(labRequests)
          .set({ runningUntil: afterMs(leaseMs) })
          .where(mine),
      )
    ).count > 0;
  const kept = keepLease({ renew, leaseMs, renewMs, logger: silentLogger, queue: 'lab_requests' });
  try {
    return await work();
  } finally {
    await kept.stop();
  }
}

/** Forgets a failed request, so that it may be repeated. */
export async function releaseRequest({ orm }: Executor, claim: RequestClaim): Promise<void> {
  await run(orm.delete(labRequests).where(and(whereOf(claim), eq(labRequests.attemptId, claim.attemptId))));
}
