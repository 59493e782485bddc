export { appendEvents } from './append.ts';
export { jsonEvent, withEvents, type Emit } from './with-events.ts';
export { createPostgresLog, type PostgresLogOptions } from './postgres-log.ts';
export { eraseUserEvents } from './erase-user-events.ts';
export { isErased } from './is-erased.ts';
export { maintainLog, readLag } from './maintain.ts';
export { forgetGroup } from './membership.ts';
export { readEvents, readFrom, type ReadPoint } from './read.ts';
export { shardOf } from './shard.ts';
export {
  shardCount,
  type Consumption,
  type EventBody,
  type EventLog,
  type EventOrigin,
  type LogEvent,
  type LogSink,
  type NewEvent,
  type Position,
} from './types.ts';
