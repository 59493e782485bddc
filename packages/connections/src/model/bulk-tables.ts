import { bytea, instant } from '@pulsewire/database';
import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';

// As in `tables.ts`.

export const bulkOperations = pgTable('bulk_operations', {
  operationId: uuid('operation_id').notNull(),
  teamId: uuid('team_id').notNull(),
  type: text('type', { enum: ['link_bulk_import', 'link_bulk_historical_trigger'] }).notNull(),
  /** Null only during the upload: the body may name its provider last. */
  provider: text('provider'),
  status: text('status', { enum: ['receiving', 'in_progress', 'success', 'failure', 'aborted'] }).notNull(),
  total: integer('total').notNull().default(0),
  processed: integer('processed').notNull().default(0),
  failures: integer('failures').notNull().default(0),
  errorCode: text('error_code'),
  logoBaseUrl: text('logo_base_url').notNull(),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at'),
  movedAt: instant('moved_at').notNull(),
});

export const bulkItems = pgTable('bulk_items', {
  operationId: uuid('operation_id').notNull(),
  item: integer('item').notNull(),
  userId: uuid('user_id').notNull(),
  providerUserId: text('provider_user_id'),
  accessToken: bytea('access_token'),
  refreshToken: bytea('refresh_token'),
  expiresAt: instant('expires_at'),
  scopes: text('scopes').array(),
  /** When a refresh of its expired tokens was sent. */
  checkSentAt: instant('check_sent_at'),
  checkOutcome: text('check_outcome', { enum: ['refreshed', 'refused', 'unclear'] }),
  /** Null: not processed yet. */
  outcome: text('outcome', { enum: ['imported', 'replaced', 'triggered', 'failed'] }),
  reason: text('reason'),
});

/** Historical pulls that wait for the limit of their provider. */
export const queuedHistory = pgTable('bulk_turns', {
  turnId: bigint('turn_id', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
  teamId: uuid('team_id').notNull(),
  provider: text('provider').notNull(),
  connectionId: uuid('connection_id').notNull(),
  operationId: uuid('operation_id').notNull(),
  item: integer('item'),
  queuedAt: instant('queued_at').notNull(),
  startedAt: instant('started_at'),
  finishedAt: instant('finished_at'),
});
