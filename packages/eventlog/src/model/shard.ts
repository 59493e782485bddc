/** Initial number of shards; `reshard` increases it. */
export const firstShardCount = 64;

/** More shards would cost readers more than they gain. */
export const shardCountMax = 4096;

/** FNV-1a over the id's text, 32 bits. Never change it: the order of a user's events depends on it. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) {
    hash ^= id.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** The shard of a user (or of a team, for events without a user) in a log of this many shards. */
export function shardOf(id: string, shardCount: number = firstShardCount): number {
  return hashOf(id) % shardCount;
}

/** Every shard that may hold events of a user in a log that has this many shards now, in the order in which they were used. */
export function shardsOfUser(userId: string, shardCount: number): readonly number[] {
  const shards: number[] = [];
  for (let count = firstShardCount; count <= shardCount; count *= 2) {
    const shard = shardOf(userId, count);
    if (!shards.includes(shard)) shards.push(shard);
  }
  return shards;
}

/** The shard that held this shard's users in the first generation; the same for all shards that ever share a user. */
export function firstShardOf(shard: number): number {
  return shard % firstShardCount;
}

/** Every shard that has, or had, users in common with this one in a log of this many, in their order. */
export function relatedShards(shard: number, shardCount: number): readonly number[] {
  return Array.from({ length: Math.ceil(shardCount / firstShardCount) }, (_, index) => firstShardOf(shard) + index * firstShardCount);
}
