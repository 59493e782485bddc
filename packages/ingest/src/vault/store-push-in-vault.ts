import type { Tx } from '@pulsewire/database';
import type { Pullable } from '../context/pullable.ts';
import { storeResponses } from './store-responses.ts';
import { factsText, packPushed, type DataNotice, type PackedPush } from './pack-pushed.ts';
import type { VaultCipher } from '../sealed/seal-part.ts';

/** The data of a push for one connection that is stored in the vault. */
export interface PushedData {
  readonly notices: readonly DataNotice[];
  readonly version: bigint;
  /** Packed before the transaction. Data that has changed since is packed again. */
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
 * Stores the data that a push contains for one connection, separately from the push: a body in the inbox may name many users, so it cannot
 * be erased for one of them.
 */
export async function storePushInVault(cipher: VaultCipher, tx: Tx, found: Pullable, data: PushedData, now: Date): Promise<void> {
  if (data.notices.length === 0) return;
  const ready = data.packed.find((packed) => isOf(found, data, packed));
  const { row } = ready ?? (await packPushed(cipher, found, data.notices, data.version, now));
  await storeResponses(tx, found, row, true);
}
