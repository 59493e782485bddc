import { eq, and } from 'drizzle-orm';
import { createLeaseQueue, createWorkerLoop, retryOrSetAside, run, type WorkOutcome } from '@pulsewire/database';
import { errorCode, isAppError } from '@pulsewire/kernel';
import type { TokenSet } from '@pulsewire/providers';
import { applicationOf } from '../context/applications.ts';
import type { CustodyContext } from '../context/context.ts';
import { connectorOf } from '../context/find-connector.ts';
import type { Deregistration } from '../model/deregistration.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import { deregistrations } from '../model/tables.ts';
import { fetchAccountId, assertNotLinking, isConsentInUse } from './consent-use.ts';

/** What must be done at the provider besides revoking, such as deleting subscriptions. */
export type ProviderCleanup = (deregistration: Deregistration, accessToken: string, signal: AbortSignal) => Promise<void>;

/** A deregistration under the lease of this worker. Its row is replaced when the worker stores renewed tokens. */
interface Leased {
  row: typeof deregistrations.$inferSelect;
}

const callTimeoutMs = 10_000;
/** Longer than the calls of one attempt, so that most attempts need no renewal. */
const leaseMs = 60_000;
/** With the delays between them they take most of a day, so that an outage of some hours loses no revocation. */
const attemptsMax = 12;
/** After these the access is revoked although a subscription may be left: it can no longer deliver anything. */
const unsubscribeAttemptsMax = 4;
const delayMaxMs = 6 * 3_600_000;
/** Reaching the limit is decided here, because a deregistration that is given up does not stay: it would keep the tokens. */
const retry = { attemptsMax: null, backoffMs: 60_000, backoffMaxMs: delayMaxMs };
/** A rejected token is invalid already, and without the application the provider cannot be called. */
const overCodes: ReadonlySet<string> = new Set(['provider_consent_revoked', 'provider_token_expired', 'provider_not_configured']);

/** The leases of deregistrations. A trigger ends a lease when newer tokens are queued: those must be revoked too. */
const queue = createLeaseQueue({
  table: deregistrations,
  key: 'connectionId',
  dueAt: 'dueAt',
  leaseUntil: 'dueAt',
  epoch: 'leaseEpoch',
  attempts: 'attempts',
  lastError: 'lastErrorCode',
});

async function storeRenewed({ database, cipher }: CustodyContext, leased: Leased, tokens: TokenSet): Promise<void> {
  const { row } = leased;
  const bound = tokenContext(row.connectionId);
  const accessToken = cipher.seal(tokens.accessToken, bound);
  const refreshToken = tokens.refreshToken === null ? row.refreshToken : cipher.seal(tokens.refreshToken, bound);
  const isHeld = and(eq(deregistrations.connectionId, row.connectionId), eq(deregistrations.leaseEpoch, row.leaseEpoch));
  const [renewed] = await run(database.orm.update(deregistrations).set({ accessToken, refreshToken }).where(isHeld).returning());
  if (renewed) leased.row = renewed;
}

/** Returns false when the consent was kept because another connection uses it. */
async function revokeAtProvider(
  context: CustodyContext,
  leased: Leased,
  cleanUpProvider: ProviderCleanup | undefined,
  lost: AbortSignal,
): Promise<boolean> {
  const { row } = leased;
  const { connectionId, teamId, userId, provider, application: owner, grantedScopes } = row;
  const account = row.account ?? {};
  const queued: Deregistration = {
    connectionId,
    teamId,
    userId,
    provider,
    providerUserId: row.providerUserId,
    application: owner,
    grantedScopes,
    account,
  };
  const deadline = () => AbortSignal.any([lost, AbortSignal.timeout(callTimeoutMs)]);
  await assertNotLinking(context, queued);
  if (queued.providerUserId !== null && (await isConsentInUse(context, queued, queued.providerUserId))) return false;
  const application = await applicationOf(context.database, context, queued);
  const connector = connectorOf(context, provider);
  const bound = tokenContext(connectionId);
  const accessToken = context.cipher.open(row.accessToken, bound);
  const isKnown = queued.providerUserId !== null || connector.oauth === null || application === null;
  const providerUserId = isKnown ? queued.providerUserId : await fetchAccountId(context, { connector, application, accessToken }, queued);
  if (!isKnown && (await belongsToAnother(context, leased, queued, providerUserId))) return false;
  const deregistration: Deregistration = { ...queued, providerUserId };
  const refreshToken = row.refreshToken && context.cipher.open(row.refreshToken, bound);
  // Subscriptions first, because deleting them needs the token; at most providers the revocation deletes them otherwise.
  await cleanUpProvider?.(deregistration, accessToken, deadline()).catch((error: unknown) => {
    context.logger.info({ provider, connectionId, error }, 'deregistration.unsubscribe_failed');
    const mayPass = !isAppError(error) || error.retryable;
    if (mayPass && row.attempts < unsubscribeAttemptsMax) throw error;
  });
  // The same account may have been linked during the calls.
  await assertNotLinking(context, queued);
  if (providerUserId !== null && (await isConsentInUse(context, queued, providerUserId))) return false;
  const onRenewed = (tokens: TokenSet) => storeRenewed(context, leased, tokens);
  await context.gate.revoke({ connector, application, accessToken, refreshToken, providerUserId, onRenewed, signal: deadline() });
  return true;
}

// A deregistered connection was ended on purpose. Tokens of a failed link whose account is unknown may belong to the account of any other
// connection.
async function belongsToAnother(
  context: CustodyContext,
  { row }: Leased,
  queued: Deregistration,
  learned: string | null,
): Promise<boolean> {
  if (learned === null && row.account !== null) return false;
  return isConsentInUse(context, queued, learned);
}

/**
 * Revokes removed connections at their providers, unless another connection uses the same consent, and deletes the tokens kept for it. A
 * failure is retried later, at most twelve times over most of a day, and does not block the others. Several processes may run it at once.
 * Returns the number of rows processed.
 */
export async function processDeregistrations(
  context: CustodyContext,
  options: { readonly limit: number; readonly signal: AbortSignal; readonly cleanUpProvider?: ProviderCleanup },
): Promise<number> {
  const { database, logger, metrics } = context;
  const count = (provider: string, outcome: string) => metrics.count('deregistrations_total', { provider, outcome });

  /** Deletes the row with its tokens. It stays when newer ones were queued during the attempt. */
  async function end({ row }: Leased, outcome: string): Promise<boolean> {
    const isEnded = await queue.finish(database, row);
    if (isEnded) count(row.provider, outcome);
    return isEnded;
  }

  function endWithFailure(leased: Leased, outcome: string, error: unknown): Promise<boolean> {
    const { provider, connectionId } = leased.row;
    logger.warn({ provider, connectionId, outcome, error }, 'deregistration.revoke_failed');
    return end(leased, outcome);
  }

  async function attempt(leased: Leased, lost: AbortSignal): Promise<WorkOutcome> {
    try {
      const isRevoked = await revokeAtProvider(context, leased, options.cleanUpProvider, lost);
      return (await end(leased, isRevoked ? 'revoked' : 'in_use')) ? 'done' : 'lost';
    } catch (error) {
      if (!overCodes.has(errorCode(error))) throw error;
      return (await endWithFailure(leased, 'already_revoked', error)) ? 'done' : 'lost';
    }
  }

  async function settleFailure(leased: Leased, error: unknown): Promise<WorkOutcome> {
    const { row } = leased;
    if (row.attempts >= attemptsMax) return (await endWithFailure(leased, 'given_up', error)) ? 'failed' : 'lost';
    const outcome = await retryOrSetAside(queue, database, retry, { row, attempts: row.attempts, error, delayMaxMs });
    count(row.provider, 'postponed');
    return outcome;
  }

  const loop = createWorkerLoop<Leased>({
    queue: 'deregistrations',
    logger,
    metrics,
    concurrency: 1,
    pollMs: leaseMs,
    leaseMs,
    claim: async (limit) => (await queue.claim(database, { leaseMs, limit })).map((row) => ({ row })),
    renew: ({ row }) => queue.renew(database, row, leaseMs),
    release: ({ row }) => queue.release(database, row, { isUncounted: true }),
    attempt,
    settleFailure,
  });
  let processed = 0;
  while (processed < options.limit && !options.signal.aborted && (await loop.workOne(options.signal))) processed += 1;
  return processed;
}
