import { errorCode, isAppError } from '@pulsewire/kernel';
import { saveAccount, saveGrantedScopes, saveProviderUser } from '@pulsewire/connections';
import { scopesOf } from '@pulsewire/providers';
import { readSpent } from '../budget/quota-spent.ts';
import { waitForQuota } from '../budget/wait-for-quota.ts';
import type { IngestContext } from '../context.ts';
import type { Pullable } from '../plan/pullable.ts';
import type { PullSession } from './pull-session.ts';
import { pauseConnection } from './settle-failure.ts';

const everyMs = 24 * 3_600_000;
const retryMs = 3_600_000;
const firstRetryMs = 60_000;

/** Whether pulls may go on, and whether the account's facts are others now. */
export type AccountStanding = 'unchanged' | 'refreshed' | 'unknown';

/**
 * Reads once a day what the provider knows of the account, above all its time zone. A failure is tried again in an
 * hour and stops nothing: the pulls that follow meet the same trouble and are judged by it. But of an account of which
 * nothing was ever learned nothing is pulled while that may pass: without its zone every wall clock would be stored hours
 * away from its instant, and stay there when the zone is known. Whose account it is may be told only here.
 */
export async function refreshAccount(
  context: IngestContext,
  session: PullSession,
  { connection, connector }: Pullable,
  signal: AbortSignal,
): Promise<AccountStanding> {
  const { database, clock } = context;
  const { connectionId } = connection;
  const now = clock.now();
  const at = now.toISOString();
  const [row] =
    await database.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} AND account_due_at <= ${at} AND (resume_at IS NULL OR resume_at <= ${at})`;
  if (!row) return 'unchanged';
  let standing: AccountStanding = 'refreshed';
  try {
    const { providerUserId, grantedScopes, account: previous } = connection;
    const facts = await session.call(signal, (http) => connector.account({ http, grantedScopes, providerUserId, previous, now }));
    await saveAccount(database, connectionId, facts.account);
    const learned = providerUserId === null ? facts.providerUserId : null;
    // A duplicate has ended here: nothing is pulled any more, and the next turn finds the connection in error.
    if (learned !== null && !(await saveProviderUser(context, connection, learned))) standing = 'unknown';
    if (facts.grantedScopes) await saveGrantedScopes(database, connectionId, facts.grantedScopes, scopesOf(connector));
  } catch (error) {
    const spent = readSpent(error);
    if (spent) {
      await database.transaction((tx) => waitForQuota(tx, { connection, connector }, 'live', { ...spent, delayMs: spent.freeInMs }, now));
      return 'unknown';
    }
    const isNew = Object.keys(connection.account).length === 0;
    standing = isNew && isPassing(error) ? 'unknown' : 'unchanged';
    context.logger.warn({ connectionId, provider: connector.slug, errorCode: errorCode(error) }, 'account.refresh_failed');
  }
  const nextMs = { refreshed: everyMs, unchanged: retryMs, unknown: firstRetryMs }[standing];
  const nextAt = new Date(now.getTime() + nextMs).toISOString();
  await database.sql`UPDATE pull_plans SET account_due_at = ${nextAt} WHERE connection_id = ${connectionId}`;
  if (standing === 'unknown') await database.transaction((tx) => pauseConnection(tx, connectionId, nextMs, now));
  return standing;
}

/** Whether the same call may go well later. Without a token nothing is pulled anyway. */
function isPassing(error: unknown): boolean {
  return isAppError(error) && error.retryable;
}
