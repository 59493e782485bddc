import { setImmediate } from 'node:timers/promises';
import { AppError } from '@pulsewire/kernel';
import { isSameText, type RawPush } from '@pulsewire/providers';
import type { PushTarget } from './push-call.ts';
import type { PushContext } from './push-context.ts';
import type { PushApplication, PushSecrets } from './secrets/push-secrets.ts';

/** Secrets are read again for a call that none of them fits, but no more often than this: anybody can make such calls. */
export const secretsAgeMs = 1000;
/** Bytes that are hashed before others have their turn. */
const hashedBytesMax = 512 * 1024;
/** Applications that are tried for every body, the latest signers first; for the others there is an allowance of hashed bytes. */
const triedMax = 16;
/** What a hash costs beside the body. */
const hashBytes = 1024;

/** Whose applications can have been called at this address: all, or where nothing is signed those whose segment it has. */
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

/** Whether what proves a call of one may prove it of the other too. */
function mayShareProof(a: PushApplication, b: PushApplication): boolean {
  const isSameSubscription = a.subscriptionSecret != null && a.subscriptionSecret === b.subscriptionSecret;
  return a.clientId === b.clientId || a.clientSecret === b.clientSecret || isSameSubscription;
}

/**
 * A body is hashed once for each application until one fits, so others go in between. Throws AppError `slots_taken` when none of the first
 * fits and the allowance for the others is used up: a provider sends again, and forged bodies do not keep the process busy.
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
    code: 'slots_taken',
    kind: 'unavailable',
    message: 'Too many bodies without a known signature; try again',
    retryable: true,
    retryAfterMs: 5000,
  });
}

/** Whose applications have signed a call; when there are none, also by secrets that were set a moment ago. */
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
