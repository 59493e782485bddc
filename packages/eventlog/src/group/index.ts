export { releaseShards, takeShards } from './claim-shards.ts';
export type { Heartbeat } from './heartbeat.ts';
export type { Member } from './member.ts';
export { runReadLoop } from './read-loop.ts';
export type { ShardCursors } from './shard-cursors.ts';
export { releaseGraceMs, ShardLeases, type ShardAssignment, type ShardEpochs } from './shard-leases.ts';
