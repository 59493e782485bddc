import { bytea, instantText, day } from '@pulsewire/database';
import { bigint, boolean, doublePrecision, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const phoneSessions = pgTable('phone_sessions', {
  sessionId: uuid('session_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  appId: text('app_id').notNull(),
  refreshHash: bytea('refresh_hash'),
  formerHash: bytea('former_hash'),
  createdAt: instantText('created_at').notNull(),
  refreshedAt: instantText('refreshed_at').notNull(),
});

export const phoneBatches = pgTable('phone_batches', {
  batchId: uuid('batch_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  version: bigint('version', { mode: 'bigint' }).notNull(),
  body: bytea('body').notNull(),
  bodyBytes: integer('body_bytes').notNull(),
  state: text('state', { enum: ['received', 'done', 'failed'] }).notNull(),
  attempts: integer('attempts').notNull().default(0),
  dueAt: instantText('due_at').notNull(),
  receivedAt: instantText('received_at').notNull(),
  finishedAt: instantText('finished_at'),
  errorCode: text('error_code'),
  leftOut: jsonb('left_out'),
});

export const phoneNightSegments = pgTable('phone_night_segments', {
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  sourceType: text('source_type').notNull(),
  appId: text('app_id').notNull(),
  startAt: instantText('start_at').notNull(),
  stage: text('stage').notNull(),
  teamId: uuid('team_id').notNull(),
  endAt: instantText('end_at').notNull(),
  tzOffset: integer('tz_offset'),
  score: smallint('score'),
  itemId: text('item_id').notNull(),
  parentId: text('parent_id').notNull().default(''),
  version: bigint('version', { mode: 'bigint' }).notNull().default(0n),
});

export const phoneItems = pgTable('phone_items', {
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  itemId: text('item_id').notNull(),
  teamId: uuid('team_id').notNull(),
  resource: text('resource').notNull(),
  subKind: text('sub_kind').notNull(),
  sourceType: text('source_type').notNull(),
  at: instantText('at').notNull(),
  summaryId: uuid('summary_id'),
  parentId: text('parent_id'),
});

export const phoneSampleIds = pgTable('phone_sample_ids', {
  block: bigint('block', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  teamId: uuid('team_id').notNull(),
  version: bigint('version', { mode: 'bigint' }).notNull(),
  resource: text('resource').notNull(),
  sourceType: text('source_type').notNull(),
  hasParents: boolean('has_parents').notNull(),
  ids: bytea('ids').notNull(),
  fromAt: instantText('from_at'),
  toAt: instantText('to_at'),
});

export const phonePressures = pgTable('phone_pressures', {
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  sourceType: text('source_type').notNull(),
  appId: text('app_id').notNull(),
  at: instantText('at').notNull(),
  teamId: uuid('team_id').notNull(),
  systolic: doublePrecision('systolic'),
  diastolic: doublePrecision('diastolic'),
  receivedAt: instantText('received_at').notNull(),
});

export const phoneDayZones = pgTable('phone_day_zones', {
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  sourceType: text('source_type').notNull(),
  day: day('day').notNull(),
  teamId: uuid('team_id').notNull(),
  zone: text('zone').notNull(),
  at: instantText('at').notNull(),
});

export const phoneReadings = pgTable('phone_readings', {
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  sourceType: text('source_type').notNull(),
  kind: text('kind').notNull(),
  at: instantText('at').notNull(),
  slot: doublePrecision('slot').notNull(),
  teamId: uuid('team_id').notNull(),
  value: doublePrecision('value').notNull(),
  tzOffset: integer('tz_offset'),
  appId: text('app_id').notNull(),
  itemId: text('item_id').notNull(),
});

export const phoneWriters = pgTable('phone_writers', {
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  name: text('name').notNull(),
  appId: text('app_id').notNull(),
  sourceType: text('source_type').notNull(),
  teamId: uuid('team_id').notNull(),
});

export const phoneWorkoutParts = pgTable('phone_workout_parts', {
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  kind: text('kind').notNull(),
  appId: text('app_id').notNull(),
  recordId: text('record_id').notNull(),
  teamId: uuid('team_id').notNull(),
  startAt: instantText('start_at').notNull(),
  endAt: instantText('end_at').notNull(),
  points: jsonb('points').notNull(),
});

export const phoneWorkouts = pgTable('phone_workouts', {
  workoutId: uuid('workout_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  teamId: uuid('team_id').notNull(),
  appId: text('app_id').notNull(),
  startAt: instantText('start_at').notNull(),
  endAt: instantText('end_at').notNull(),
  summary: jsonb('summary').notNull(),
});

export const sentSummaries = pgTable('sent_summaries', {
  summaryId: uuid('summary_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
});
