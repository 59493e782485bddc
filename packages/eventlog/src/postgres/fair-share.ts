import type { Database } from '@pulsewire/database';
import { claimShards, releaseShards } from '../group/claim-shards.ts';
import type { Heartbeat } from '../group/heartbeat.ts';
import type { Member } from '../group/member.ts';
import type { ShardCursors } from '../group/shard-cursors.ts';
import type { ShardAssignment } from '../group/shard-leases.ts';

function shareOf({ members, shardCount }: Heartbeat): number {
  return Math.ceil(shardCount / Math.max(1, members));
}

/** Every member of the group owns an equal share of the shards. */
export function createFairShare(options: { readonly database: Database; readonly member: Member; nowMs(): number }): ShardAssignment {
  const { database, member } = options;
  return {
    // Another member releases its shards at its next heartbeat; checking more often would not help.
    isSettled: () => true,
    startReleases(heartbeat, cursors) {
      const surplus = cursors.count - cursors.releasing() - shareOf(heartbeat);
      if (surplus > 0) cursors.startRelease(surplus, options.nowMs());
    },
    async claim(heartbeat, cursors) {
      const missing = shareOf(heartbeat) - cursors.count;
      const claimed = missing > 0 ? await claimShards(database, member, cursors.shards(), missing) : [];
      for (const shard of claimed) cursors.add(shard);
      await releaseUnused(database, member, heartbeat, cursors);
      return claimed.length;
    },
  };
}

/**
 * Releases shards that this member gave up after a late heartbeat and no longer needs for its share: while the database lists them as ours,
 * no other member may claim them.
 */
async function releaseUnused(database: Database, member: Member, heartbeat: Heartbeat, cursors: ShardCursors): Promise<void> {
  const unused = [...heartbeat.owned.keys()].filter((shard) => cursors.epochOf(shard) === undefined);
  if (unused.length > 0) await releaseShards(database, member, unused);
}
