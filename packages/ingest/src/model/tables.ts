import { bytea, instantText, day, counter } from '@pulsewire/database';
import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

const lane = () => text('lane', { enum: ['live', 'backfill'] });

export const pullPlans = pgTable('pull_plans', {
  connectionId: uuid('connection_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  resumeAt: instantText('resume_at'),
  backfillResumeAt: instantText('backfill_resume_at'),
  nextPullAt: instantText('next_pull_at').notNull(),
  nextTickAt: instantText('next_tick_at'),
  accountDueAt: instantText('account_due_at').notNull(),
  linkedAt: instantText('linked_at'),
  stoppedAt: instantText('stopped_at'),
  leaseEpoch: counter('lease_epoch').notNull().default(0n),
  leaseUntil: instantText('lease_until'),
  subscription: text('subscription', { enum: ['none', 'wanted', 'active', 'failed'] })
    .notNull()
    .default('none'),
  subscriptionError: text('subscription_error'),
  subscriptionAskedAt: instantText('subscription_asked_at'),
  noticedAt: instantText('noticed_at'),
  createdAt: instantText('created_at').notNull(),
  waitsFor: text('waits_for', { enum: ['live', 'backfill'] }),
  waitsOwner: text('waits_owner'),
  queueAt: instantText('queue_at'),
  turnsCut: smallint('turns_cut').notNull().default(0),
  turnAt: instantText('turn_at'),
  turnLane: text('turn_lane'),
  servedAt: instantText('served_at'),
  readsSince: counter('reads_since').notNull().default(0n),
});

export const pullCursors = pgTable('pull_cursors', {
  connectionId: uuid('connection_id').notNull(),
  pull: text('pull').notNull(),
  coveredTo: day('covered_to').notNull(),
  polledAt: instantText('polled_at'),
  rereadAt: instantText('reread_at'),
  changes: counter('changes').notNull().default(0n),
});

export const pullWindows = pgTable('pull_windows', {
  windowId: counter('window_id').notNull().generatedAlwaysAsIdentity(),
  connectionId: uuid('connection_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  pull: text('pull').notNull(),
  rank: smallint('rank').notNull(),
  resources: text('resources').array().notNull(),
  lane: lane().notNull(),
  startDate: day('start_date').notNull(),
  endDate: day('end_date').notNull(),
  state: text('state', { enum: ['planned', 'running', 'done', 'failed', 'given_up'] }).notNull(),
  attempts: integer('attempts').notNull().default(0),
  runs: integer('runs').notNull().default(0),
  dueAt: instantText('due_at').notNull(),
  runEpoch: counter('run_epoch'),
  isAskedAgain: boolean('is_asked_again').notNull().default(false),
  plannedAt: instantText('planned_at').notNull(),
  startedAt: instantText('started_at'),
  finishedAt: instantText('finished_at'),
  errorCode: text('error_code'),
  pages: counter('pages').notNull().default(0n),
  samplesReceived: counter('samples_received').notNull().default(0n),
  samplesCreated: counter('samples_created').notNull().default(0n),
  samplesUpdated: counter('samples_updated').notNull().default(0n),
  summariesReceived: counter('summaries_received').notNull().default(0n),
  summariesCreated: counter('summaries_created').notNull().default(0n),
  summariesUpdated: counter('summaries_updated').notNull().default(0n),
  quarantined: counter('quarantined').notNull().default(0n),
  objectId: text('object_id').notNull().default(''),
  acceptedAt: instantText('accepted_at'),
  objectSealed: bytea('object_sealed'),
  traceId: text('trace_id'),
  reading: bytea('reading'),
  readingAt: instantText('reading_at'),
  readingRuns: integer('reading_runs'),
  readingChanges: counter('reading_changes'),
  seenVersion: counter('seen_version'),
});

export const historicalPulls = pgTable('historical_pulls', {
  connectionId: uuid('connection_id').notNull(),
  resource: text('resource').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  startDate: day('start_date').notNull(),
  endAt: instantText('end_at').notNull(),
  plannedAt: instantText('planned_at').notNull(),
  completedAt: instantText('completed_at'),
});

export const quarantine = pgTable('quarantine', {
  windowId: counter('window_id').notNull(),
  resource: text('resource').notNull(),
  reason: text('reason').notNull(),
  pointer: text('pointer').notNull(),
  connectionId: uuid('connection_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  sightings: integer('sightings').notNull().default(1),
  firstSeenAt: instantText('first_seen_at').notNull(),
  lastSeenAt: instantText('last_seen_at').notNull(),
});

export const pushInbox = pgTable('push_inbox', {
  pushId: uuid('push_id').notNull(),
  day: day('day').notNull(),
  provider: text('provider').notNull(),
  owners: text('owners').array().notNull(),
  headers: jsonb('headers').notNull(),
  query: jsonb('query').notNull(),
  body: bytea('body'),
  version: counter('version').notNull(),
  state: text('state', { enum: ['received', 'done', 'unreadable', 'failed'] }).notNull(),
  attempts: integer('attempts').notNull().default(0),
  errorCode: text('error_code'),
  notices: integer('notices'),
  unreadableNotices: integer('unreadable_notices'),
  unknownUsers: integer('unknown_users'),
  receivedAt: instantText('received_at').notNull(),
  finishedAt: instantText('finished_at'),
  pieces: integer('pieces').notNull().default(0),
  bodyBytes: counter('body_bytes'),
  itemsDone: counter('items_done').notNull().default(0n),
});

export const pushBodies = pgTable('push_bodies', {
  pushId: uuid('push_id').notNull(),
  day: day('day').notNull(),
  piece: integer('piece').notNull(),
  body: bytea('body').notNull(),
});

export const providerBudgets = pgTable('provider_budgets', {
  provider: text('provider').notNull(),
  owner: text('owner').notNull(),
  connectionId: uuid('connection_id'),
  state: jsonb('state').notNull(),
});

export const pushExtents = pgTable('push_extents', {
  connectionId: uuid('connection_id').notNull(),
  item: text('item').notNull(),
  extent: counter('extent').notNull(),
  version: counter('version').notNull(),
  userId: uuid('user_id').notNull(),
  seenOn: day('seen_on').notNull(),
});

export const pushDigests = pgTable('push_digests', {
  provider: text('provider').notNull(),
  digest: bytea('digest').notNull(),
  calls: integer('calls').notNull(),
  since: instantText('since').notNull(),
});

export const rawResponses = pgTable('raw_answers', {
  runId: uuid('run_id').notNull(),
  part: integer('part').notNull(),
  day: day('day').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  connectionId: uuid('connection_id').notNull(),
  provider: text('provider').notNull(),
  source: text('source', { enum: ['pull', 'push'] }).notNull(),
  windowId: counter('window_id'),
  pull: text('pull').notNull(),
  lane: lane().notNull(),
  startDate: day('start_date').notNull(),
  endDate: day('end_date').notNull(),
  endsRun: boolean('ends_run').notNull(),
  version: counter('version').notNull(),
  responses: integer('answers').notNull(),
  rawBytes: counter('raw_bytes').notNull(),
  body: bytea('body').notNull(),
  keptAt: instantText('kept_at')
    .notNull()
    .default(sql`clock_timestamp()`),
  seenVersion: counter('seen_version'),
});

export const appSubscriptions = pgTable('app_subscriptions', {
  provider: text('provider').notNull(),
  owner: text('owner').notNull(),
  state: jsonb('state').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
  secret: bytea('secret'),
  renewAt: instantText('renew_at'),
  errorCode: text('error_code'),
  attempts: integer('attempts').notNull().default(0),
  dueAt: instantText('due_at').notNull(),
  updatedAt: instantText('updated_at').notNull(),
});
