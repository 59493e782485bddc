import { and, eq, sql, type SQL } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { errorCode, exponentialDelayMs, isAppError } from '@pulsewire/kernel';
import type { TokenSet } from '@pulsewire/providers';
import { applicationOf } from '../context/applications.ts';
import type { CustodyContext } from '../context/context.ts';
import { connectorOf } from '../context/find-connector.ts';
import type { SqlRow } from '../model/sql-row.ts';
import type { Deregistration } from '../model/deregistration.ts';
import { tokenContext } from '../model/seal-contexts.ts';
import { deregistrations } from '../model/tables.ts';
import { fetchAccountId, assertNotLinking, isConsentInUse } from './consent-use.ts';

/** What must be done at the provider besides revoking, such as deleting subscriptions. */
export type ProviderCleanup = (deregistration: Deregistration, accessToken: string, signal: AbortSignal) => Promise<void>;

type DeregistrationRow = SqlRow<typeof deregistrations>;

const callTimeoutMs = 10_000;
const claimMs = 60_000;
/** With the delays between them they take most of a day, so that an outage of some hours loses no revocation. */
const attemptsMax = 12;
/** After these the access is revoked although a subscription may be left: it can no longer deliver anything. */
const unsubscribeAttemptsMax = 4;
const firstDelayMs = 60_000;
const delayMaxMs = 6 * 3_600_000;

/** The access token that the row contains now; identifies the version that this worker claimed. */
interface ClaimedToken {
  accessToken: Buffer;
}

const isClaimed = (row: DeregistrationRow, { accessToken }: ClaimedToken): SQL | undefined =>
  and(eq(deregistrations.connectionId, row.connection_id), eq(deregistrations.accessToken, accessToken));

async function storeRenewed(context: CustodyContext, row: DeregistrationRow, claimed: ClaimedToken, tokens: TokenSet): Promise<void> {
  const bound = tokenContext(row.connection_id);
  const accessToken = context.cipher.seal(tokens.accessToken, bound);
  const refreshToken = tokens.refreshToken === null ? row.refresh_token : context.cipher.seal(tokens.refreshToken, bound);
  await run(context.database.orm.update(deregistrations).set({ accessToken, refreshToken }).where(isClaimed(row, claimed)));
  claimed.accessToken = accessToken;
}

/** Returns false when the consent was kept because another connection uses it. */
async function revokeAtProvider(
  context: CustodyContext,
  row: DeregistrationRow,
  claimed: ClaimedToken,
  cleanUpProvider: ProviderCleanup | undefined,
): Promise<boolean> {
  const queued: Deregistration = {
    connectionId: row.connection_id,
    teamId: row.team_id,
    userId: row.user_id,
    provider: row.provider,
    providerUserId: row.provider_user_id,
    application: row.application,
    grantedScopes: row.granted_scopes,
    account: row.account ?? {},
  };
  await assertNotLinking(context, queued);
  if (queued.providerUserId !== null && (await isConsentInUse(context, queued, queued.providerUserId))) return false;
  const application = await applicationOf(context.database, context, queued);
  const connector = connectorOf(context, row.provider);
  const bound = tokenContext(row.connection_id);
  const accessToken = context.cipher.open(row.access_token, bound);
  const isKnown = queued.providerUserId !== null || connector.oauth === null || application === null;
  const providerUserId = isKnown ? queued.providerUserId : await fetchAccountId(context, { connector, application, accessToken }, queued);
  if (!isKnown && (await belongsToAnother(context, row, queued, providerUserId))) return false;
  const deregistration: Deregistration = { ...queued, providerUserId };
  const refreshToken = row.refresh_token && context.cipher.open(row.refresh_token, bound);
  // Subscriptions first, because deleting them needs the token; at most providers the revocation deletes them otherwise.
  await cleanUpProvider?.(deregistration, accessToken, AbortSignal.timeout(callTimeoutMs)).catch((error: unknown) => {
    context.logger.info({ provider: row.provider, connectionId: row.connection_id, error }, 'deregistration.unsubscribe_failed');
    const mayPass = !isAppError(error) || error.retryable;
    if (mayPass && row.attempts + 1 < unsubscribeAttemptsMax) throw error;
  });
  // The same account may have been linked during the calls.
  await assertNotLinking(context, queued);
  if (providerUserId !== null && (await isConsentInUse(context, queued, providerUserId))) return false;
  const signal = AbortSignal.timeout(callTimeoutMs);
  const onRenewed = (tokens: TokenSet) => storeRenewed(context, row, claimed, tokens);
  await context.gate.revoke({ connector, application, accessToken, refreshToken, providerUserId, onRenewed, signal });
  return true;
}

// A deregistered connection was ended on purpose. Tokens of a failed link whose account is unknown may belong to the account of any other
// connection.
async function belongsToAnother(
  context: CustodyContext,
  row: DeregistrationRow,
  queued: Deregistration,
  learned: string | null,
): Promise<boolean> {
  if (learned === null && row.account !== null) return false;
  return isConsentInUse(context, queued, learned);
}

async function processOne(context: CustodyContext, row: DeregistrationRow, cleanUpProvider: ProviderCleanup | undefined): Promise<void> {
  let outcome = 'revoked';
  const claimed: ClaimedToken = { accessToken: row.access_token };
  try {
    if (!(await revokeAtProvider(context, row, claimed, cleanUpProvider))) outcome = 'in_use';
  } catch (error) {
    const code = errorCode(error);
    // A rejected token is invalid already, and without the application the provider cannot be called.
    const isOver = code === 'provider_consent_revoked' || code === 'provider_token_expired' || code === 'provider_not_configured';
    if (!isOver && row.attempts + 1 < attemptsMax) {
      const delayMs = exponentialDelayMs(row.attempts, firstDelayMs, delayMaxMs);
      const dueAt = new Date(context.clock.now().getTime() + delayMs);
      const postponed = { attempts: sql`${deregistrations.attempts} + 1`, lastErrorCode: code, dueAt };
      await run(context.database.orm.update(deregistrations).set(postponed).where(isClaimed(row, claimed)));
      context.metrics.count('deregistrations_total', { provider: row.provider, outcome: 'postponed' });
      return;
    }
    outcome = isOver ? 'already_revoked' : 'given_up';
    context.logger.warn({ provider: row.provider, connectionId: row.connection_id, outcome, error }, 'deregistration.revoke_failed');
  }
  // A paused connection may have been linked again and ended in the meantime, or a refresh stored newer tokens: those stay queued.
  await run(context.database.orm.delete(deregistrations).where(isClaimed(row, claimed)));
  context.metrics.count('deregistrations_total', { provider: row.provider, outcome });
}

/** Claims the deregistration that has waited longest for a minute, longer than its calls may take. */
async function claimDue({ database, clock }: CustodyContext): Promise<DeregistrationRow | undefined> {
  const now = clock.now();
  const [row] = await database.sql<DeregistrationRow[]>`
    UPDATE deregistrations SET due_at = ${new Date(now.getTime() + claimMs).toISOString()}
    WHERE connection_id = (
      SELECT connection_id FROM deregistrations WHERE due_at <= ${now.toISOString()} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING *`;
  return row;
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
  let count = 0;
  for (; count < options.limit && !options.signal.aborted; count++) {
    const row = await claimDue(context);
    if (row === undefined) break;
    await processOne(context, row, options.cleanUpProvider);
  }
  return count;
}
