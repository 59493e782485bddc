import { bytea, instantText, day, counter } from '@pulsewire/database';
import { boolean, customType, doublePrecision, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const sources = pgTable('sources', {
  userSourceId: integer('user_source_id').notNull().generatedAlwaysAsIdentity(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  sourceType: text('source_type').notNull(),
});

export const series = pgTable('series', {
  series: smallint('series').notNull().generatedAlwaysAsIdentity(),
  resource: text('resource').notNull(),
  subKind: text('sub_kind').notNull().default(''),
});

export const sourceContexts = pgTable('source_contexts', {
  contextId: integer('context_id').notNull().generatedAlwaysAsIdentity(),
  userSourceId: integer('user_source_id').notNull(),
  appId: text('app_id'),
  deviceId: uuid('device_id'),
  sport: text('sport'),
  workoutId: uuid('workout_id'),
});

export const samples = pgTable('samples', {
  userSourceId: integer('user_source_id').notNull(),
  series: smallint('series').notNull(),
  tzOffset: integer('tz_offset'),
  ts: instantText('ts').notNull(),
  version: counter('version').notNull(),
  value: doublePrecision('value'),
  endTs: instantText('end_ts'),
  value2: doublePrecision('value2'),
  contextId: integer('context_id'),
  extra: jsonb('extra'),
  tzOrigin: smallint('tz_origin'),
});

/** One byte, from -128 to 127. */
const byteList = customType<{ data: string; driverData: string }>({ dataType: () => '"char"[]' });

export const samplePieces = pgTable('sample_pieces', {
  userSourceId: integer('user_source_id').notNull(),
  series: smallint('series').notNull(),
  format: smallint('format').notNull(),
  fromTs: instantText('from_ts').notNull(),
  toTs: instantText('to_ts').notNull(),
  version: counter('version'),
  value: doublePrecision('value'),
  value2: doublePrecision('value2'),
  count: integer('count').notNull(),
  tickMs: integer('tick_ms').notNull(),
  step: integer('step'),
  length: integer('length'),
  tzOffset: integer('tz_offset'),
  contextId: integer('context_id'),
  valueScale: integer('value_scale'),
  valueBase: integer('value_base'),
  tzOrigin: smallint('tz_origin'),
  steps1: byteList('steps1'),
  steps4: integer('steps4').array(),
  values1: byteList('values1'),
  values2: smallint('values2').array(),
  values4: integer('values4').array(),
  values8: doublePrecision('values8').array(),
  secondValues: doublePrecision('second_values').array(),
  lengths: integer('lengths').array(),
  tzOffsets: integer('tz_offsets').array(),
  tzOrigins: smallint('tz_origins').array(),
  contextIds: integer('context_ids').array(),
  versions: counter('versions').array(),
  extra: jsonb('extra'),
  extras: jsonb('extras').array(),
});

export const samplePacking = pgTable('sample_packing', {
  isOnly: boolean('is_only').notNull().default(true),
  userSourceId: integer('user_source_id').notNull(),
  series: smallint('series').notNull(),
});

export const sampleCounts = pgTable('sample_counts', {
  userSourceId: integer('user_source_id').notNull(),
  series: smallint('series').notNull(),
  created: counter('created').notNull(),
});

export const sampleReceipts = pgTable('sample_receipts', {
  userSourceId: integer('user_source_id').notNull(),
  series: smallint('series').notNull(),
  version: counter('version').notNull(),
  day: day('day').notNull(),
  fromTs: instantText('from_ts').notNull(),
  toTs: instantText('to_ts').notNull(),
  keys: bytea('keys'),
  isRemoval: boolean('is_removal').notNull().default(false),
});

export const summaries = pgTable('summaries', {
  id: uuid('id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  resource: text('resource').notNull(),
  provider: text('provider').notNull(),
  source: jsonb('source').notNull(),
  calendarDate: day('calendar_date'),
  at: instantText('at').notNull(),
  data: jsonb('data').notNull(),
  version: counter('version').notNull(),
  createdAt: instantText('created_at').notNull(),
  updatedAt: instantText('updated_at').notNull(),
  tzOrigin: smallint('tz_origin'),
});

export const summaryReceipts = pgTable('summary_receipts', {
  userId: uuid('user_id').notNull(),
  version: counter('version').notNull(),
  day: day('day').notNull(),
  ids: uuid('ids').array().notNull(),
  isRemoval: boolean('is_removal').notNull().default(false),
});

export const workoutStreams = pgTable('workout_streams', {
  workoutId: uuid('workout_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  providerId: text('provider_id').notNull(),
  sport: jsonb('sport'),
  source: jsonb('source').notNull(),
  /** Set only for streams that were stored before packing was introduced. */
  data: jsonb('data'),
  packed: bytea('packed'),
  version: counter('version').notNull(),
  createdAt: instantText('created_at').notNull(),
  updatedAt: instantText('updated_at').notNull(),
});

export const devices = pgTable('devices', {
  deviceId: uuid('device_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  sourceType: text('source_type').notNull(),
  appId: text('app_id'),
  manufacturer: text('manufacturer'),
  model: text('model'),
  version: text('version'),
  externalId: text('external_id').notNull(),
  createdAt: instantText('created_at').notNull(),
  updatedAt: instantText('updated_at').notNull(),
  raw: bytea('raw'),
});

export const rawEntries = pgTable('raw_entries', {
  summaryId: uuid('summary_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  body: bytea('body').notNull(),
  createdAt: instantText('created_at').notNull(),
  updatedAt: instantText('updated_at').notNull(),
});

export const receiptVersionMark = pgTable('receipt_version_mark', {
  isOnly: boolean('is_only').notNull().default(true),
  version: counter('version').notNull(),
});
