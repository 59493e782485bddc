import { setImmediate } from 'node:timers/promises';
import { AppError } from '@pulsewire/kernel';
import { isSameText, type RawPush } from '@pulsewire/providers';
import type { PushTarget } from './push-call.ts';
import type { PushContext } from './push-context.ts';
import type { PushApplication, PushSecrets } from './secrets/push-secrets.ts';

/** Secrets are reloaded at most this often when a signature matches none; otherwise anyone could force reloads. */
export const secretsAgeMs = 1000;
/** Bytes that are hashed before yielding to other work. */
const hashedBytesMax = 512 * 1024;
/** Applications checked for every body, the latest signers first; the others share an allowance of hashed bytes. */
const triedMax = 16;
/** Fixed cost of a hash, in bytes. */
const hashBytes = 1024;

/** The applications that this address may belong to: all, or for an unsigned provider those with its segment. */
export function addressees(
  { support, segment }: Pick<PushTarget, 'support' | 'segment'>,
  { applications }: PushSecrets,
): readonly PushApplication[] {
  if (support.isSigned) return applications;
  return applications.filter((application) => segment !== null && application.segment != null && isSameText(segment, application.segment));
}

function isSameApplication(a: PushApplication, b: PushApplication): boolean {
  return a.teamId === b.teamId && a.clientId === b.clientId && hasSameSecrets(a, b);
}

function hasSameSecrets(a: PushApplication, b: PushApplication): boolean {
  return a.clientSecret === b.clientSecret && (a.subscriptionSecret ?? null) === (b.subscriptionSecret ?? null);
}

/** Whether a proof for one application may also be valid for the other. */
function mayShareProof(a: PushApplication, b: PushApplication): boolean {
  const isSameSubscription = a.subscriptionSecret != null && a.subscriptionSecret === b.subscriptionSecret;
  return a.clientId === b.clientId || a.clientSecret === b.clientSecret || isSameSubscription;
}

/**
 * A body is hashed once for each application until one matches, yielding to other work in between. Throws AppError `push_capacity_exceeded` when none
 * of the recent signers matches and the allowance for the others is used up: a provider retries, and forged bodies do not keep the process
 * busy.
 */
async function signersAmong(
  { clock, search }: PushContext,
  { slug, support }: PushTarget,
  push: RawPush,
  applications: readonly PushApplication[],
): Promise<readonly PushApplication[]> {
  const now = clock.now();
  const signs = (application: PushApplication) =>
    support.verify(push, { now, application, subscriptionSecret: application.subscriptionSecret ?? null });
  if (!support.isSigned) return applications.filter(signs);
  const ordered = search?.order(slug, applications) ?? applications;
  let hashed = 0;
  for (const [index, application] of ordered.entries()) {
    const bytesLeft = (ordered.length - triedMax) * (push.body.length + hashBytes);
    if (index === triedMax && search?.mayHash(slug, bytesLeft) === false) throw tooManyForged();
    if (signs(application)) {
      search?.note(slug, application);
      return applications.filter((other) => other === application || (mayShareProof(other, application) && signs(other)));
    }
    hashed += push.body.length;
    if (hashed < hashedBytesMax) continue;
    await setImmediate();
    hashed = 0;
  }
  return [];
}

function tooManyForged(): AppError {
  return new AppError({
    code: 'push_capacity_exceeded',
    kind: 'unavailable',
    message: 'Too many bodies without a known signature; retry later',
    retryable: true,
    retryAfterMs: 5000,
  });
}

/** The applications that signed a call; when none match, checks again with reloaded secrets. */
export async function findSigners(
  context: PushContext,
  called: PushTarget,
  push: RawPush,
  secrets: PushSecrets,
): Promise<readonly PushApplication[]> {
  const tried = addressees(called, secrets);
  const signers = await signersAmong(context, called, push, tried);
  if (signers.length > 0) return signers;
  const newer = await context.secretsFor(called.slug, secretsAgeMs);
  if (newer === secrets) return signers;
  const known = new Map(tried.map((application) => [application.clientId, application]));
  const changed = addressees(called, newer).filter((application) => {
    const before = known.get(application.clientId);
    return before === undefined || !isSameApplication(before, application);
  });
  return signersAmong(context, called, push, changed);
}
