import { shardCount } from './types.ts';

/** The shard of a user (or of a team, for events without a user): FNV-1a over the id's text. Never change it: order hangs on it. */
export function shardOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) {
    hash ^= id.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0) % shardCount;
}
