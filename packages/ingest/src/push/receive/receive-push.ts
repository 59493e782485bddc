import type { Connector } from '@pulsewire/providers';
import { addressees, findSigners } from './find-signers.ts';
import type { IncomingPush, PushResponse } from './push-call.ts';
import type { PushContext } from './push-context.ts';
import { reject } from './reject.ts';
import { storePush } from './store-push.ts';

/**
 * Receives a provider's call: answers handshakes, rejects what is not signed by one of our applications, and stores the
 * rest, with the owners of the applications that signed it and the job that applies it, before it is answered. Throws when it cannot be
 * stored, so that the edge answers with an error and the provider sends it again. `segment` is what stands in the path behind the slug.
 */
export async function receivePush(
  context: PushContext,
  connector: Connector,
  push: IncomingPush,
  segment: string | null = null,
): Promise<PushResponse> {
  const { push: support, slug } = connector;
  if (!support) return { status: 404, body: '' };
  if (push.method === 'POST' && support.mayBeRight?.(push) === false) return reject(context, slug, support, push.body.length);
  const target = { slug, support, segment };
  // One that comes in chunks takes as long as its sender; it has slots of its own.
  const giveBack = push.chunks ? undefined : await context.bodies?.take();
  try {
    const secrets = await context.secretsFor(slug);
    const isAddressed = support.isSigned || addressees(target, secrets).length > 0;
    const handshake = isAddressed ? support.handshake(push, { verificationCode: secrets.verificationCode }) : null;
    if (handshake) return handshake;
    const signers = await findSigners(context, target, push, secrets);
    if (signers.length === 0) return reject(context, slug, support, push.body.length);
    const isNew = await storePush(context, target, push, signers);
    context.metrics.count('ingest_pushes_total', { provider: slug, outcome: isNew ? 'stored' : 'repeated' });
    return { status: support.acceptedStatus, body: '' };
  } finally {
    giveBack?.();
  }
}
