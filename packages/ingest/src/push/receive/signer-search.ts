import type { Clock } from '@pulsewire/kernel';
import type { PushApplication } from './secrets/push-secrets.ts';

/**
 * The order in which applications are checked for a body's signature, and how much may be hashed for bodies that no recent signer signed.
 */
export interface SignerSearch {
  /** The most recent signers first. */
  order(provider: string, applications: readonly PushApplication[]): readonly PushApplication[];
  /** Remembers who signed. */
  note(provider: string, signer: PushApplication): void;
  /** Takes bytes from the provider's hashing allowance; false when it is used up. */
  mayHash(provider: string, bytes: number): boolean;
}

/** Bytes a second for each provider: a few percent of what one core hashes. */
const bytesPerSecond = 32 * 1024 * 1024;
/** Bytes that may be hashed at once after a while without forged bodies. */
const burstBytes = 64 * 1024 * 1024;
/** Signers remembered for each provider. */
const rememberedMax = 1000;

const keyOf = ({ teamId, clientId }: PushApplication) => `${teamId ?? 'platform'} ${clientId}`;

/** Of one process. */
export function createSignerSearch(clock: Pick<Clock, 'monotonicMs'>): SignerSearch {
  // The latest signer is the last of a set, which keeps the order of insertion.
  const recent = new Map<string, Set<string>>();
  const debts = new Map<string, { readonly bytes: number; readonly atMs: number }>();
  return {
    order(provider, applications) {
      const ranks = new Map([...(recent.get(provider) ?? [])].map((key, rank) => [key, rank]));
      if (ranks.size === 0) return applications;
      const ranked = applications.map((application) => ({ application, rank: ranks.get(keyOf(application)) ?? -1 }));
      return ranked.toSorted((a, b) => b.rank - a.rank).map(({ application }) => application);
    },
    note(provider, signer) {
      const own = recent.get(provider) ?? new Set<string>();
      recent.set(provider, own);
      const key = keyOf(signer);
      own.delete(key);
      own.add(key);
      for (const oldest of own) {
        if (own.size <= rememberedMax) break;
        own.delete(oldest);
      }
    },
    mayHash(provider, bytes) {
      const nowMs = clock.monotonicMs();
      const last = debts.get(provider) ?? { bytes: 0, atMs: nowMs };
      const debt = Math.max(0, last.bytes - ((nowMs - last.atMs) / 1000) * bytesPerSecond);
      // A search of any size may start below the burst, so that a large body with a valid signature is eventually accepted.
      const mayBegin = debt < burstBytes;
      debts.set(provider, { bytes: mayBegin ? debt + bytes : debt, atMs: nowMs });
      return mayBegin;
    },
  };
}
