import type { PushSupport, Connector, PushHead } from '@pulsewire/providers';
import { addressees, secretsAgeMs } from './find-signers.ts';
import type { PushResponse } from './push-call.ts';
import type { PushContext } from './push-context.ts';

/** The response to a call that is not signed by one of our applications; the same whatever the reason. */
export function reject({ metrics, logger }: PushContext, slug: string, { rejectedStatus }: PushSupport, bytes: number): PushResponse {
  metrics.count('ingest_pushes_total', { provider: slug, outcome: 'rejected' });
  logger.warn({ provider: slug, bytes }, 'push.rejected');
  return { status: rejectedStatus, body: '' };
}

/**
 * Rejects a call before its body is read: at an unknown address, or with headers that no valid call has. Null: continue. The response is
 * the same as that to a forged call.
 */
export async function rejectUnknownAddress(
  context: PushContext,
  { push: support, slug }: Connector,
  segment: string | null,
  head?: PushHead,
): Promise<PushResponse | null> {
  if (!support) return { status: 404, body: '' };
  if (head?.method === 'POST' && support.mayBeValid?.(head) === false) return reject(context, slug, support, 0);
  if (support.isSigned) return null;
  const isOurs = async (ageMaxMs?: number) => addressees({ support, segment }, await context.secretsFor(slug, ageMaxMs)).length > 0;
  return (await isOurs()) || (await isOurs(secretsAgeMs)) ? null : reject(context, slug, support, 0);
}
