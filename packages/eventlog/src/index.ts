export { appendEvents } from './append/append.ts';
export { rehearseAppend } from './append/append.ts';
export { jsonEvent, withEvents, type Emit } from './append/with-events.ts';
export { createPostgresLog, type PostgresLogOptions } from './postgres/postgres-log.ts';
export { eraseUserEvents, type LogAddress } from './maintenance/erase-user.ts';
export { retentionConfig } from './maintenance/maintain.ts';
export { isErased } from './model/types.ts';
export { lockPositions, type LockedPosition } from './group/positions.ts';
export { maintainLog, readLag } from './maintenance/maintain.ts';
export { reportLag } from './maintenance/maintain.ts';
export { forgetGroup } from './group/forget-group.ts';
export { dropMembers, liveMembers } from './group/members.ts';
export { readEvents, readFrom } from './read/read.ts';
export { firstDay } from './team/read-team.ts';
export { findTeamEvent, readHeaders } from './team/read-team.ts';
export type { EventHeader } from './team/header.ts';
export { readTeam, type TeamPoint, type TeamQuery, type TeamPage } from './team/read-team.ts';
export { seekTime } from './team/seek-time.ts';
export { generationAfterSnapshot, newGeneration, reshard } from './generation/change-generation.ts';
export { readIdentity, type LogIdentity } from './generation/ensure-generation.ts';
export { ensureGeneration } from './generation/ensure-generation.ts';
export { GenerationEnds } from './generation/generation-ends.ts';
export { reachedOffset, reachedPoints } from './generation/reached.ts';
export { newestPosition, newestShard } from './model/newest-row.ts';
export { firstOffsetOf, generationOf } from './model/offsets.ts';
export type { StartedGeneration } from './generation/start-generation.ts';
export { readShardCount } from './model/read-shard-count.ts';
export { firstShardCount, firstShardOf, relatedShards, shardCountMax, shardOf, shardsOfUser } from './model/shard.ts';
export {
  type Consumption,
  type EventBody,
  type EventLog,
  type EventOrigin,
  type LogEvent,
  type LogSink,
  type NewEvent,
  type Position,
  type ReadPoint,
} from './model/types.ts';
