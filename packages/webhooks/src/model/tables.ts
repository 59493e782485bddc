import { bytea, instantText, day, counter } from '@pulsewire/database';
import { boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';

// Columns only; the migrations define keys, indexes and checks. A test compares every column with the migrated schema.

/** Where a replay continues in each unfinished shard. */
export interface ReplayProgress {
  readonly points: readonly { readonly shard: number; readonly offset: number }[];
  /** The log's shard count when the points were looked up; missing in old rows. */
  readonly shardCount?: number;
}

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
  failingSince: instantText('failing_since'),
  disabledAt: instantText('disabled_at'),
  failingWarnedAt: instantText('failing_warned_at'),
  publicKeys: text('public_keys'),
  ordering: text('ordering', { enum: ['none', 'per_user'] })
    .notNull()
    .default('none'),
  skipSuperseded: boolean('skip_superseded').notNull().default(false),
  retrySchedule: integer('retry_schedule').array(),
  signature: text('signature', { enum: ['v1', 'v1a', 'both'] })
    .notNull()
    .default('v1'),
  signingKey: bytea('signing_key'),
  previousSigningKeys: bytea('previous_signing_keys'),
  configVersion: counter('config_version').notNull().default(0n),
  createdAt: instantText('created_at').notNull(),
  updatedAt: instantText('updated_at').notNull(),
});

export const webhookConfig = pgTable('webhook_config', {
  isOnlyRow: boolean('is_only_row').notNull().default(true),
  version: counter('version').notNull().default(1n),
  removedAtVersion: counter('removed_at_version').notNull().default(0n),
  teamsAtVersion: counter('teams_at_version').notNull().default(0n),
  usersAtVersion: counter('users_at_version').notNull().default(0n),
});

/** Written by triggers on `users`. */
export const webhookHiddenUsers = pgTable('webhook_hidden_users', {
  userId: uuid('user_id').primaryKey(),
  isHidden: boolean('is_hidden').notNull(),
  configVersion: counter('config_version').notNull(),
});

export const webhookPending = pgTable('webhook_pending', {
  endpointId: uuid('endpoint_id').notNull(),
  eventId: uuid('event_id').notNull(),
  shard: smallint('shard').notNull(),
  offset: counter('offset').notNull(),
  logDay: day('log_day').notNull(),
  attempts: smallint('attempts').notNull(),
  dueAt: instantText('due_at').notNull(),
  leaseOwner: text('lease_owner'),
  leaseUntil: instantText('lease_until'),
  lane: smallint('lane').notNull().default(0),
  replayId: uuid('replay_id'),
  userId: uuid('user_id'),
  eventType: text('event_type'),
  isOrdered: boolean('is_ordered').notNull().default(false),
  objectKey: text('object_key'),
  dueFrom: instantText('due_from'),
});

export const webhookReplays = pgTable('webhook_replays', {
  replayId: uuid('replay_id').notNull(),
  teamId: uuid('team_id').notNull(),
  endpointId: uuid('endpoint_id').notNull(),
  since: instantText('since').notNull(),
  until: instantText('until').notNull(),
  userId: uuid('user_id'),
  eventTypes: text('event_types').array(),
  selection: text('selection', { enum: ['all', 'failed', 'missing', 'undelivered'] }).notNull(),
  status: text('status', { enum: ['running', 'completed', 'cancelled', 'failed'] })
    .notNull()
    .default('running'),
  total: counter('total').notNull().default(0n),
  enqueued: counter('enqueued').notNull().default(0n),
  delivered: counter('delivered').notNull().default(0n),
  exhausted: counter('exhausted').notNull().default(0n),
  progress: jsonb('progress').$type<ReplayProgress>(),
  leaseOwner: text('lease_owner'),
  leaseUntil: instantText('lease_until'),
  lastTurnAt: instantText('last_turn_at'),
  error: text('error'),
  createdAt: instantText('created_at').notNull(),
  endedAt: instantText('ended_at'),
});

export const webhookAttempts = pgTable('webhook_attempts', {
  day: day('day').notNull(),
  endpointId: uuid('endpoint_id').notNull(),
  attemptedAt: instantText('attempted_at').notNull(),
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

export const webhookTestEvents = pgTable('webhook_test_events', {
  eventId: uuid('event_id').notNull(),
  teamId: uuid('team_id').notNull(),
  endpointId: uuid('endpoint_id').notNull(),
  eventType: text('event_type').notNull(),
  createdAt: instantText('created_at').notNull(),
});

export const webhookRecorders = pgTable('webhook_recorders', {
  recorderId: uuid('recorder_id').notNull(),
  batch: counter('batch').notNull(),
  recordedAt: instantText('recorded_at').notNull(),
});

export const webhookQuarantine = pgTable('webhook_quarantine', {
  endpointId: uuid('endpoint_id').notNull(),
  eventId: uuid('event_id').notNull(),
  shard: smallint('shard').notNull(),
  offset: counter('offset').notNull(),
  logDay: day('log_day').notNull(),
  userId: uuid('user_id'),
  eventType: text('event_type'),
  replayId: uuid('replay_id'),
  code: text('code').notNull(),
  quarantinedAt: instantText('quarantined_at').notNull(),
});
