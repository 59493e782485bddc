import { errorCode } from '@pulsewire/kernel';
import { saveAccount } from '@pulsewire/connections';
import type { IngestContext } from '../context.ts';
import type { Pullable } from '../plan/pullable.ts';
import type { PullSession } from './pull-session.ts';

const everyMs = 24 * 3_600_000;
const retryMs = 3_600_000;

/**
 * Reads once a day what the provider knows of the account, above all its time zone. A failure is tried again in an
 * hour and stops nothing: the pulls that follow meet the same trouble and are judged by it.
 */
export async function refreshAccount(
  context: IngestContext,
  session: PullSession,
  { connection, connector }: Pullable,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, clock } = context;
  const { connectionId } = connection;
  const now = clock.now();
  const at = now.toISOString();
  const [row] =
    await database.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} AND account_due_at <= ${at} AND (resume_at IS NULL OR resume_at <= ${at})`;
  if (!row) return false;
  let nextMs = everyMs;
  try {
    const { account } = await session.call(signal, (http) =>
      connector.account({ http, grantedScopes: connection.grantedScopes, previous: connection.account, now }),
    );
    await saveAccount(database, connectionId, account);
  } catch (error) {
    nextMs = retryMs;
    context.logger.warn({ connectionId, provider: connector.slug, errorCode: errorCode(error) }, 'account.refresh_failed');
  }
  await database.sql`UPDATE pull_plans SET account_due_at = ${new Date(now.getTime() + nextMs).toISOString()} WHERE connection_id = ${connectionId}`;
  return nextMs === everyMs;
}
