import { bytea, instantText, day, safeCounter } from '@pulsewire/database';
import { boolean, customType, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

const oid = customType<{ data: number; driverData: number }>({ dataType: () => 'oid' });

export const logInstallation = pgTable('log_installation', {
  isOnlyRow: boolean('is_only_row').notNull().default(true),
  installationId: uuid('installation_id').notNull().defaultRandom(),
  macKey: bytea('mac_key').notNull().default(Buffer.alloc(0)),
  systemIdentifier: text('system_identifier'),
  shardsOid: oid('shards_oid'),
});

export const logGenerations = pgTable('log_generations', {
  generation: integer('generation').notNull(),
  shard: smallint('shard').notNull(),
  beginsAt: safeCounter('begins_at').notNull(),
  endsAt: safeCounter('ends_at'),
  shardCount: smallint('shard_count').notNull(),
  reason: text('reason').notNull(),
  startedAt: instantText('started_at').notNull().defaultNow(),
});

export const logShards = pgTable('log_shards', {
  shard: smallint('shard').notNull(),
  nextOffset: safeCounter('next_offset').notNull().default(0),
  day: day('day').notNull().default('2020-01-01'),
  shardCount: smallint('shard_count').notNull().default(64),
  fence: integer('fence').notNull().default(0),
  timeline: text('timeline'),
  slot: safeCounter('slot').notNull().default(0),
});

export const logEvents = pgTable('log_events', {
  shard: smallint('shard').notNull(),
  offset: safeCounter('offset').notNull(),
  day: day('day').notNull(),
  eventId: uuid('event_id').notNull(),
  eventType: text('event_type').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id'),
  clientUserId: text('client_user_id'),
  isHistorical: boolean('is_historical').notNull(),
  traceId: text('trace_id'),
  writtenAt: safeCounter('written_at').notNull(),
  json: text('json'),
  packed: bytea('packed'),
});

export const logMembers = pgTable('log_members', {
  consumer: text('consumer').notNull(),
  member: text('member').notNull(),
  seenAt: instantText('seen_at').notNull(),
});

export const logPositions = pgTable('log_positions', {
  consumer: text('consumer').notNull(),
  shard: smallint('shard').notNull(),
  offset: safeCounter('offset').notNull(),
  day: day('day').notNull(),
  epoch: safeCounter('epoch').notNull().default(0),
  owner: text('owner'),
  slot: safeCounter('slot').notNull().default(0),
});
