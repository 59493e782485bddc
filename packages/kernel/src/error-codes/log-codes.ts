import type { ErrorCodeTable } from './error-code-entry.ts';

/** Codes of errors about the event log and Kafka: kind, what it means and what to do. */
export const logCodes = {
  generations_used_up: ['bug', 'The log has no offsets left. Begin a new installation, and report it.'],
  group_in_use: ['conflict', 'A member of this group is still running: it has just sent a heartbeat.'],
  heartbeat_late: ['unavailable', 'Postgres did not respond to the heartbeat in time. The member joins again by itself.'],
  kafka_link_closed: ['unavailable', 'The process was stopped before Kafka was reachable.'],
  kafka_producer_fenced: ['conflict', 'Another process has taken over this producer. It goes on; this one joins again.'],
  kafka_record_too_large: ['invalid', 'A record exceeds the size limit of the broker. Raise max.message.bytes of the topic.'],
  kafka_records_unreadable: [
    'unavailable',
    'Kafka holds records whose compression cannot be read here. Set compression.type of the topic to producer.',
  ],
  kafka_token_failed: ['unavailable', 'No token for Kafka could be obtained. Check the settings of the token endpoint or the AWS role.'],
  kafka_unavailable: ['unavailable', 'Kafka cannot be reached. Nothing is lost; processing continues when it returns.'],
  lease_lost: ['conflict', 'Another process has taken over a shard of this batch, and reads it again.'],
  log_append_incomplete: [
    'bug',
    'The log did not store every event, because the counter of a shard is missing. Restore shard_counters from a backup.',
  ],
  log_missing: ['bug', 'The log has no shards. Run `npm run admin -- migrate`.'],
  not_representable: ['invalid', 'An event does not fit the Avro schema of its type. It is set aside; `log poison` lists it.'],
  partitions_unfit: [
    'conflict',
    'The number of partitions of the event topic does not allow this number of shards. The message names those that fit.',
  ],
  prefix_in_use: ['conflict', 'Topics with this prefix belong to another installation. Set another KAFKA_TOPIC_PREFIX.'],
  registry_unavailable: ['unavailable', 'The schema registry is unavailable. Nothing is lost; publishing continues when it returns.'],
  schema_incompatible: [
    'conflict',
    'The registry rejected a schema that would break readers of older records. Set its compatibility as documented.',
  ],
  schema_not_registered: ['unavailable', 'A schema is not registered; run `npm run admin -- schemas register`.'],
  schema_unknown: [
    'invalid',
    'A record refers to a schema that is not in the registry. Restore the registry, or register the schemas again.',
  ],
  series_unknown: ['invalid', 'A record contains a series that this version does not know.'],
  shard_count_invalid: ['invalid', 'The number of shards must be a larger power of two within the limit.'],
  topic_missing: ['unavailable', 'A topic is missing; run `npm run admin -- topics create`.'],
} as const satisfies ErrorCodeTable;
