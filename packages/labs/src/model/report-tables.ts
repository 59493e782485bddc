import { bytea, counter, instant } from '@pulsewire/database';
import { boolean, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const labReports = pgTable('lab_reports', {
  jobId: uuid('job_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  status: text('status').notNull(),
  failureReason: text('failure_reason'),
  needsHumanReview: boolean('needs_human_review').notNull(),
  isReviewed: boolean('is_reviewed').notNull().default(false),
  contentTypes: text('content_types').array().notNull(),
  attempts: integer('attempts').notNull().default(0),
  dueAt: instant('due_at'),
  leaseUntil: instant('lease_until'),
  leaseEpoch: counter('lease_epoch').notNull().default(0n),
  data: bytea('data'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const labReportTurns = pgTable('lab_report_turns', {
  teamId: uuid('team_id').notNull(),
  claimedAt: instant('claimed_at').notNull(),
});

export const labReportFiles = pgTable('lab_report_files', {
  jobId: uuid('job_id').notNull(),
  part: smallint('part').notNull(),
  content: bytea('content').notNull(),
});
