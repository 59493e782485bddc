import { eq } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import { pullPlans } from '../model/tables.ts';

/**
 * Records how subscribing ended: `active`, or `failed` with the reason (`errorCode`; null: it did not fail). `wanted` and `failed` have a
 * job, or get a new one from maintenance; a link makes any state `wanted`, or `none` where the provider does not notify.
 */
export async function saveSubscription({ orm }: Executor, connectionId: string, errorCode: string | null): Promise<void> {
  const subscription = errorCode === null ? 'active' : 'failed';
  const isOf = eq(pullPlans.connectionId, connectionId);
  await run(orm.update(pullPlans).set({ subscription, subscriptionError: errorCode }).where(isOf));
}

/** Records that a new job was requested, so that those which always fail do not starve the others. */
export async function recordSubscriptionRequest({ orm }: Tx, connectionId: string, requestedAt: Date): Promise<void> {
  const subscriptionAskedAt = requestedAt.toISOString();
  await run(orm.update(pullPlans).set({ subscriptionAskedAt }).where(eq(pullPlans.connectionId, connectionId)));
}
