import { actingTeams } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { addressees, findSigners } from './find-signers.ts';
import type { IncomingPush, PushResponse } from './push-call.ts';
import type { PushContext } from './push-context.ts';
import { reject } from './reject-call.ts';
import type { PushApplication } from './secrets/push-secrets.ts';
import { storePush } from './store-push.ts';

/** Secrets are cached for a while, during which their team may be deleted. */
async function actingSigners({ database }: PushContext, signers: readonly PushApplication[]): Promise<readonly PushApplication[]> {
  const acting = await actingTeams(
    database,
    signers.flatMap(({ teamId }) => teamId ?? []),
  );
  return signers.filter(({ teamId }) => teamId === null || acting.has(teamId));
}

/**
 * Receives a provider's call: responds to handshakes, rejects calls that none of our applications signed, and stores the rest with the
 * owners of the signing applications and the job that applies it, before it responds. Throws when it cannot be stored, so that the edge
 * responds with an error and the provider retries. `segment` is the path segment after the slug.
 */
export async function receivePush(
  context: PushContext,
  connector: Connector,
  push: IncomingPush,
  segment: string | null = null,
): Promise<PushResponse> {
  const { push: support, slug } = connector;
  if (!support) return { status: 404, body: '' };
  if (push.method === 'POST' && support.mayBeValid?.(push) === false) return reject(context, slug, support, push.body.length);
  const target = { slug, support, segment };
  // A body in chunks takes as long as its sender and has separate slots.
  const release = push.chunks ? undefined : await context.bodies?.take();
  try {
    const secrets = await context.secretsFor(slug);
    const isAddressed = support.isSigned || addressees(target, secrets).length > 0;
    const handshake = isAddressed ? support.handshake(push, { verificationCode: secrets.verificationCode }) : null;
    if (handshake) return handshake;
    const signers = await actingSigners(context, await findSigners(context, target, push, secrets));
    if (signers.length === 0) return reject(context, slug, support, push.body.length);
    const isNew = await storePush(context, target, push, signers);
    context.metrics.count('ingest_pushes_total', { provider: slug, outcome: isNew ? 'stored' : 'repeated' });
    return { status: support.acceptedStatus, body: '' };
  } finally {
    release?.();
  }
}
