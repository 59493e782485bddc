import { day } from '@pulsewire/database';
import { bigint, integer, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const logPoison = pgTable('log_poison', {
  consumer: text('consumer').notNull(),
  shard: smallint('shard').notNull(),
  offset: bigint('offset', { mode: 'number' }).notNull(),
  day: day('day').notNull(),
  eventId: uuid('event_id'),
  eventType: text('event_type'),
  reason: text('reason').notNull(),
  detail: text('detail').notNull().default(''),
  setAsideAt: timestamp('set_aside_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
});

export const relayWriters = pgTable('relay_writers', {
  shard: smallint('shard').notNull(),
  member: text('member').notNull(),
  producerId: bigint('producer_id', { mode: 'bigint' }).notNull(),
  clusterId: text('cluster_id'),
});

export const relayGenerations = pgTable('relay_generations', {
  clusterId: text('cluster_id').notNull(),
  topic: text('topic').notNull(),
  shard: smallint('shard').notNull(),
  generation: integer('generation').notNull(),
});
