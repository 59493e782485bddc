import { errorCode, isAppError } from '@pulsewire/kernel';
import { reportConfigurationFault, saveAccount, saveGrantedScopes, saveProviderUser } from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { and, eq } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { pullWindows } from '../model/tables.ts';
import { providerHttp, scopesOf, type PullWindow } from '@pulsewire/providers';
import { readSpent } from '../quota/quota-spent.ts';
import { waitForQuota } from '../session/wait-for-quota.ts';
import type { IngestContext } from '../context/context.ts';
import { storeDevices } from '../records/store-devices.ts';
import { addDaysAgain } from '../plan/live-windows.ts';
import type { Pullable } from '../context/pullable.ts';
import { pullsOf } from '../plan/pulls-of.ts';
import { lockOrCreateSchedule } from '../connection-schedule/begin-schedule.ts';
import { pauseSchedule, setAccountDue } from '../connection-schedule/due-times.ts';
import type { PullSession } from '../session/pull-session.ts';

const everyMs = 24 * 3_600_000;
const retryMs = 3_600_000;
const firstRetryMs = 60_000;

/** Whether pulls may continue, and whether the account's facts have changed; `failed`: the stored facts still apply. */
export type AccountCheck = 'unchanged' | 'refreshed' | 'failed' | 'unknown';

/**
 * Whether the account must be read: daily, and for connectors with `readsAccountFirst` also before live windows that were planned since.
 */
async function isDue({ sql }: Executor, { connection, connector }: Pullable, at: string): Promise<boolean> {
  const readsAccountFirst = connector.readsAccountFirst === true;
  const [row] = await sql`
    SELECT 1 FROM pull_plans p WHERE p.connection_id = ${connection.connectionId} AND (p.resume_at IS NULL OR p.resume_at <= ${at})
      AND (p.account_due_at <= ${at} OR (${readsAccountFirst} AND EXISTS (
        SELECT 1 FROM pull_windows w WHERE w.connection_id = p.connection_id AND w.lane = 'live' AND w.state IN ('planned', 'failed')
          AND w.due_at <= ${at} AND w.planned_at > p.account_due_at - ${everyMs} * interval '1 millisecond')))`;
  return row !== undefined;
}

/** Whether the account is read for the first time, as after an import, and nothing was pulled before. */
async function isUnread({ orm }: Executor, { connectionId, account }: Pullable['connection']): Promise<boolean> {
  if (Object.keys(account).length > 0) return false;
  const isDone = and(eq(pullWindows.connectionId, connectionId), eq(pullWindows.state, 'done'));
  const done = await run(orm.select({ windowId: pullWindows.windowId }).from(pullWindows).where(isDone).limit(1));
  return done.length === 0;
}

/** Plans these days again for the live pulls of a connection, no further back than a historical pull would go. */
async function addCompletedDays(context: IngestContext, tx: Tx, { connection, connector }: Pullable, days: PullWindow, now: Date) {
  await lockOrCreateSchedule(tx, connection, now);
  await addDaysAgain(tx, connection, pullsOf(connector, connection), days, now);
  await context.jobs.wake(tx, connection.connectionId);
}

/**
 * Reads the facts of the account once a day, above all its time zone. A failure is retried in an hour and does not stop pulls: they would
 * meet the same failure and handle it. An account that was never read is different: nothing is pulled from it while the failure is
 * temporary, because without its zone every local time would be stored hours away from its instant, and would stay wrong once the zone is
 * known. Some providers report the account's id only here.
 */
export async function refreshAccount(
  context: IngestContext,
  session: PullSession,
  { connection, connector }: Pullable,
  signal: AbortSignal,
): Promise<AccountCheck> {
  const { database, clock } = context;
  const { connectionId } = connection;
  const now = clock.now();
  const at = now.toISOString();
  if (!(await isDue(database, { connection, connector }, at))) return 'unchanged';
  let accountCheck: AccountCheck = 'refreshed';
  let isSlow = false;
  try {
    const { providerUserId, grantedScopes, account: previous } = connection;
    const facts = await session.call(signal, (send) =>
      connector.account({ http: providerHttp(send), grantedScopes, providerUserId, previous, now }),
    );
    const learned = providerUserId === null ? facts.providerUserId : null;
    // A duplicate ends the connection here: nothing more is pulled, and the next run finds it in error.
    if (learned !== null && !(await saveProviderUser(context, connection, learned))) accountCheck = 'unknown';
    // Before the facts are stored: a run that is killed in between finds an account without facts and repeats it.
    else if (await isUnread(database, connection)) {
      await context.handOverImported?.({ ...connection, providerUserId: learned ?? providerUserId, account: facts.account });
    }
    // Also when it was read before: the facts may lack what names the person, or come from before there was a successor.
    if (connector.succeedsPerResource && connection.providerUserId !== null) {
      await context.startHandover?.({ ...connection, account: facts.account });
    }
    await withEvents(database, async (tx, emit) => {
      await storeDevices(context, tx, emit, { connection: { ...connection, account: facts.account }, connector });
      await saveAccount(tx, connectionId, facts.account);
      // In one transaction: days recorded as known but not planned would never be read.
      if (facts.completed) await addCompletedDays(context, tx, { connection, connector }, facts.completed, now);
    });
    if (facts.grantedScopes) await saveGrantedScopes(database, connectionId, facts.grantedScopes, scopesOf(connector));
  } catch (error) {
    const spent = readSpent(error);
    if (spent) {
      await database.transaction((tx) => waitForQuota(tx, { connection, connector }, 'live', { ...spent, delayMs: spent.freeInMs }, now));
      return 'unknown';
    }
    reportConfigurationFault(context, connector.slug, error);
    isSlow = errorCode(error) === 'provider_configuration';
    const isNew = Object.keys(connection.account).length === 0;
    accountCheck = isNew && isRetryable(error) ? 'unknown' : 'failed';
    context.logger.warn({ connectionId, provider: connector.slug, errorCode: errorCode(error) }, 'account.refresh_failed');
  }
  const nextMs = { refreshed: everyMs, failed: retryMs, unknown: isSlow ? retryMs : firstRetryMs }[accountCheck];
  const nextAt = new Date(now.getTime() + nextMs).toISOString();
  await setAccountDue(database, connectionId, nextAt);
  if (accountCheck === 'unknown') await database.transaction((tx) => pauseSchedule(tx, connectionId, 'all', nextMs, now));
  return accountCheck;
}

/** Whether the same call may succeed later. Without a token nothing is pulled anyway. */
function isRetryable(error: unknown): boolean {
  return isAppError(error) && error.retryable;
}
