import type { Tx } from '@pulsewire/database';
import type { Pullable } from '../context/pullable.ts';
import { storeResponses } from './store-responses.ts';
import { factsText, packPushed, type DataNotice, type PackedPush } from './pack-pushed.ts';
import type { VaultCipher } from '../sealed/seal-part.ts';

/** What is to be kept of a push for one connection. */
export interface PushedData {
  readonly notices: readonly DataNotice[];
  readonly version: bigint;
  /** Packed before the transaction. What it turned out otherwise for is packed now. */
  readonly packed: readonly PackedPush[];
}

function isOf(found: Pullable, { notices, version }: PushedData, packed: PackedPush): boolean {
  return (
    packed.connectionId === found.connection.connectionId &&
    packed.row.version === version &&
    packed.notices.length === notices.length &&
    packed.notices.every((notice, index) => notice === notices[index]) &&
    packed.facts === factsText(found)
  );
}

/**
 * Stores the data that a push brought for one connection, apart from the push: a body in the inbox may name many users, and is
 * therefore gone before any of them is erased.
 */
export async function storePushInVault(cipher: VaultCipher, tx: Tx, found: Pullable, data: PushedData, now: Date): Promise<void> {
  if (data.notices.length === 0) return;
  const ready = data.packed.find((packed) => isOf(found, data, packed));
  const { row } = ready ?? (await packPushed(cipher, found, data.notices, data.version, now));
  await storeResponses(tx, found, row, true);
}
