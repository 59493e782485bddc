export { DoubtfulShards } from './doubtful-shards.ts';
export { followGeneration } from './follow-generation.ts';
export { MemberWatch } from './member-watch.ts';
export {
  fenceOf,
  heartbeat,
  leaveGroup,
  movePositions,
  releaseShards,
  seedGroup,
  takeShards,
  type Heartbeat,
  type Member,
  type OwnedShard,
} from './membership.ts';
export { ShardCursors } from './shard-cursors.ts';
