import type { PushSupport } from '@pulsewire/providers';
import type { PushResponse } from './push-call.ts';
import type { PushContext } from './push-context.ts';

/** The response to a call that is not signed by one of our applications; the same whatever the reason. */
export function reject({ metrics, logger }: PushContext, slug: string, { rejectedStatus }: PushSupport, bytes: number): PushResponse {
  metrics.count('ingest_pushes_total', { provider: slug, outcome: 'rejected' });
  logger.warn({ provider: slug, bytes }, 'push.rejected');
  return { status: rejectedStatus, body: '' };
}
