import { errorCode, isAppError } from '@pulsewire/kernel';
import type { IngestContext } from '../context.ts';
import { findPullable } from '../plan/pullable.ts';
import { openSession } from '../run/pull-session.ts';

const deadlineMs = 60_000;

/** The id under which a connection subscribes at its provider: stable, so that a repeat finds the subscription already there. */
export function subscriptionIdOf(connectionId: string): string {
  return connectionId.replaceAll('-', '');
}

/**
 * Subscribes a connection to its provider's pushes. Safe to repeat. A failure is kept in the plan as a detail and thrown
 * for the job to repeat it; the connection stays up, polling covers it meanwhile.
 */
export async function subscribe(context: IngestContext, connectionId: string, signal: AbortSignal): Promise<void> {
  const found = await findPullable(context, context.database, connectionId);
  const push = found?.connector.push;
  if (!found || !push) return;
  const { connection, connector } = found;
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  const user = {
    userId: connection.userId,
    fallbackTimeZone: connection.fallbackTimeZone,
    providerUserId: connection.providerUserId ?? '',
    grantedScopes: connection.grantedScopes,
    account: connection.account,
  };
  const save = (state: 'active' | 'failed', code: string | null) =>
    context.database.sql`UPDATE pull_plans SET subscription = ${state}, subscription_error = ${code} WHERE connection_id = ${connectionId}`;
  try {
    await openSession(context, found).call(bounded, (http) =>
      push.subscribe({ http, user, subscriptionId: subscriptionIdOf(connectionId) }),
    );
    await save('active', null);
  } catch (error) {
    if (signal.aborted) throw error;
    const code = errorCode(error instanceof Error && !isAppError(error) && error.cause ? error.cause : error);
    await save('failed', code);
    context.logger.warn({ connectionId, provider: connector.slug, errorCode: code }, 'subscription.failed');
    throw error;
  }
}
