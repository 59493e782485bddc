import { jsonFault, type Clock } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { readPhoneBatch } from '@pulsewire/providers';
import { storeItems, type StoredItems } from './apply-items.ts';
import type { ClaimedBatch } from './claim-batch.ts';
import { phoneJsonBounds } from '../model/seal-batch.ts';
import { applySignOut, isSignOut } from './sign-out.ts';

function parse(body: Buffer): unknown {
  if (jsonFault(body, phoneJsonBounds) !== null) return null;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Stores the items of a batch that a phone sent; the caller builds the summaries. */
export async function storeBatch(
  tx: Tx,
  emit: Emit,
  clock: Clock,
  claimed: ClaimedBatch,
  body: Buffer,
  isolatesRefused: boolean,
): Promise<StoredItems> {
  const sent = parse(body);
  if (isSignOut(sent)) {
    await applySignOut(tx, emit, clock, { ...claimed, version: BigInt(claimed.version) });
    return { errorCode: null, leftOut: {}, changes: null };
  }
  const batch = readPhoneBatch(sent);
  if (!batch) return { errorCode: 'envelope_unreadable', leftOut: {}, changes: null };
  return storeItems(
    tx,
    emit,
    { ...claimed, version: BigInt(claimed.version), receivedAt: new Date(claimed.receivedAt) },
    batch,
    isolatesRefused,
  );
}
