import { bigint, boolean, customType, date, integer, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

// Columns alone: keys, indexes and checks are the migrations'. A test compares every column with the migrated schema.

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
/** Postgres' text with its microseconds: pages go on from these, and a Date would cut them to milliseconds. */
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });
const day = (name: string) => date(name, { mode: 'string' });
const counter = (name: string) => bigint(name, { mode: 'bigint' });

export const webhookEndpoints = pgTable('webhook_endpoints', {
  endpointId: uuid('endpoint_id').notNull(),
  teamId: uuid('team_id').notNull(),
  url: text('url').notNull(),
  description: text('description'),
  filterTypes: text('filter_types').array(),
  rateLimit: integer('rate_limit'),
  isDisabled: boolean('is_disabled').notNull().default(false),
  disabledReason: text('disabled_reason'),
  sendsSvixHeaders: boolean('sends_svix_headers').notNull().default(true),
  secret: bytea('secret').notNull(),
  previousSecrets: bytea('previous_secrets'),
  headers: bytea('headers'),
  sensitiveHeaders: text('sensitive_headers').array().notNull().default([]),
  failingSince: instant('failing_since'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const webhookConfig = pgTable('webhook_config', {
  isOnlyRow: boolean('is_only_row').notNull().default(true),
  version: counter('version').notNull().default(1n),
});

export const webhookPending = pgTable('webhook_pending', {
  endpointId: uuid('endpoint_id').notNull(),
  eventId: uuid('event_id').notNull(),
  shard: smallint('shard').notNull(),
  offset: counter('offset').notNull(),
  logDay: day('log_day').notNull(),
  attempts: smallint('attempts').notNull(),
  dueAt: instant('due_at').notNull(),
  leaseOwner: text('lease_owner'),
  leaseUntil: instant('lease_until'),
});

export const webhookAttempts = pgTable('webhook_attempts', {
  day: day('day').notNull(),
  endpointId: uuid('endpoint_id').notNull(),
  attemptedAt: instant('attempted_at').notNull(),
  eventId: uuid('event_id').notNull(),
  shard: smallint('shard').notNull(),
  offset: counter('offset').notNull(),
  logDay: day('log_day').notNull(),
  attempt: smallint('attempt').notNull(),
  outcome: smallint('outcome').notNull(),
  status: smallint('status'),
  durationMs: integer('duration_ms').notNull(),
  error: text('error'),
  eventType: text('event_type').notNull(),
});
