import { eq } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';

/**
 * The states of a connection's subscription to its provider's notifications, and what follows each. `wanted` and `failed` have a job, or get
 * a new one from maintenance; a link makes any state `wanted`, or `none` where the provider does not notify.
 */
export const subscriptionTransitions = {
  none: ['wanted'],
  wanted: ['active', 'failed', 'none'],
  failed: ['active', 'failed', 'wanted', 'none'],
  active: ['active', 'failed', 'wanted', 'none'],
} as const;

/** Records how subscribing ended. `errorCode`: why it failed; null: it did not. */
export async function saveSubscription({ orm }: Executor, connectionId: string, errorCode: string | null): Promise<void> {
  const subscription = errorCode === null ? 'active' : 'failed';
  const isOf = eq(pullPlans.connectionId, connectionId);
  await run(orm.update(pullPlans).set({ subscription, subscriptionError: errorCode }).where(isOf));
}

/** Records that a new job was requested, so that those which always fail do not starve the others. */
export async function noteSubscriptionRequest({ orm }: Tx, connectionId: string, requestedAt: Date): Promise<void> {
  const subscriptionAskedAt = requestedAt.toISOString();
  await run(orm.update(pullPlans).set({ subscriptionAskedAt }).where(eq(pullPlans.connectionId, connectionId)));
}
