export { appendEvents } from './append.ts';
export { rehearseAppend } from './rehearse-append.ts';
export { jsonEvent, withEvents, type Emit } from './with-events.ts';
export { createPostgresLog, type PostgresLogOptions } from './postgres-log.ts';
export { dropMembers } from './drop-members.ts';
export { eraseUserEvents, type LogAddress } from './erase-user-events.ts';
export { isErased } from './is-erased.ts';
export { lockPositions, type LockedPosition } from './lock-positions.ts';
export { maintainLog, readLag } from './maintain.ts';
export { forgetGroup, liveMembers } from './membership.ts';
export { readEvents, readFrom, type ReadPoint } from './read.ts';
export { firstDay } from './team/first-day.ts';
export { findTeamEvent, readHeaders } from './team/find-event.ts';
export type { EventHeader } from './team/header.ts';
export { readTeam, type TeamPoint, type TeamQuery, type TeamPage } from './team/read-team.ts';
export { seekTime } from './team/seek-time.ts';
export { generationAfterSnapshot, newGeneration, reshard } from './generation/change-generation.ts';
export { readIdentity, type LogIdentity } from './generation/identity.ts';
export { ensureGeneration } from './generation/ensure-generation.ts';
export { generationOf } from './generation/offsets.ts';
export type { StartedGeneration } from './generation/start-generation.ts';
export { readShardCount } from './read-shard-count.ts';
export { firstShardCount, firstShardOf, shardCountMax, shardOf, shardsOfUser } from './shard.ts';
export {
  type Consumption,
  type EventBody,
  type EventLog,
  type EventOrigin,
  type LogEvent,
  type LogSink,
  type NewEvent,
  type Position,
} from './types.ts';
