import { setImmediate } from 'node:timers/promises';
import { isSameText, type PushSupport, type RawPush } from '@pulsewire/providers';
import type { PushApplication, PushContext, PushSecrets } from './on-push.ts';

/** Where a call has come to. */
export interface Called {
  readonly slug: string;
  readonly support: PushSupport;
  /** What stands in the path behind the slug. */
  readonly segment: string | null;
}

/** Secrets are read again for a call that none of them fits, but no more often than this: anybody can make such calls. */
export const secretsAgeMs = 1000;
/** Bytes that are hashed before others have their turn. */
const hashedBytesMax = 512 * 1024;

/** Whose applications can have been called at this address: all, or where nothing is signed those whose segment it has. */
export function addressees(
  { support, segment }: Pick<Called, 'support' | 'segment'>,
  { applications }: PushSecrets,
): readonly PushApplication[] {
  if (support.isSigned) return applications;
  return applications.filter((application) => segment !== null && application.segment != null && isSameText(segment, application.segment));
}

/** A body is hashed once for each application, so others go in between. */
async function signersAmong(
  { clock }: PushContext,
  { support }: Called,
  push: RawPush,
  applications: readonly PushApplication[],
): Promise<readonly PushApplication[]> {
  const now = clock.now();
  const signers: PushApplication[] = [];
  let hashed = 0;
  for (const application of applications) {
    if (support.verify(push, { now, application, subscriptionSecret: application.subscriptionSecret ?? null })) signers.push(application);
    hashed += push.body.length;
    if (hashed < hashedBytesMax) continue;
    await setImmediate();
    hashed = 0;
  }
  return signers;
}

/** Whose applications have signed a call; when there are none, also by secrets that were set a moment ago. */
export async function findSigners(
  context: PushContext,
  called: Called,
  push: RawPush,
  secrets: PushSecrets,
): Promise<readonly PushApplication[]> {
  const signers = await signersAmong(context, called, push, addressees(called, secrets));
  if (signers.length > 0) return signers;
  const newer = await context.secretsFor(called.slug, secretsAgeMs);
  return newer === secrets ? signers : signersAmong(context, called, push, addressees(called, newer));
}
