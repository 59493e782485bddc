import { errorCode, isAppError } from '@pulsewire/kernel';
import { reportConfigurationFault } from '@pulsewire/connections';
import { providerHttp } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import { findPullable, pullUserOf } from '../../context/pullable.ts';
import { saveSubscription } from '../../connection-schedule/subscription.ts';
import { openSession } from '../../session/pull-session.ts';
import { ensureAppSubscription } from './app-subscription.ts';
import { ownerOf } from '../../model/push-owner.ts';

const deadlineMs = 60_000;

/** The id under which a connection subscribes at its provider: stable, so that a repeat finds the subscription already there. */
export function subscriptionIdOf(connectionId: string): string {
  return connectionId.replaceAll('-', '');
}

/**
 * Subscribes a connection to its provider's pushes, and first the application that it was made with. Safe to repeat. A failure is stored in
 * the plan and thrown, so that the job is retried; the connection stays active, and polling covers it in the meantime.
 */
export async function subscribe(context: IngestContext, connectionId: string, signal: AbortSignal): Promise<void> {
  const found = await findPullable(context, context.database, connectionId);
  const push = found?.connector.push;
  if (!found || !push) return;
  const { connection, connector } = found;
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  const user = pullUserOf(connection);
  const owner = ownerOf({ teamId: connection.application === 'team' ? connection.teamId : null });
  const address = context.subscriptions?.addressOf(connector, owner) ?? null;
  try {
    if (push.ensure) await ensureAppSubscription(context, connector, owner, bounded);
    await openSession(context, found).call(bounded, async (send) =>
      push.subscribe?.({ http: providerHttp(send), user, subscriptionId: subscriptionIdOf(connectionId), address }),
    );
    await saveSubscription(context.database, connectionId, null);
  } catch (error) {
    if (signal.aborted) throw error;
    const code = errorCode(error instanceof Error && !isAppError(error) && error.cause ? error.cause : error);
    await saveSubscription(context.database, connectionId, code);
    reportConfigurationFault(context, connector.slug, error);
    context.logger.warn({ connectionId, provider: connector.slug, errorCode: code }, 'subscription.failed');
    throw error;
  }
}
