import { bytea, instantText, day } from './columns.ts';
import { boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const schemaMigrations = pgTable('schema_migrations', {
  number: integer('number').notNull(),
  name: text('name').notNull(),
  hash: text('hash').notNull(),
  appliedAt: instantText('applied_at').notNull().defaultNow(),
  /** Null in databases of before it was recorded: the migration's own number. */
  lowest: integer('lowest'),
});

export const encryptionKeyChecks = pgTable('encryption_key_checks', {
  keyId: smallint('key_id').notNull(),
  checkValue: bytea('check_value').notNull(),
  createdAt: instantText('created_at').notNull().defaultNow(),
});

export const encryptionDataKeys = pgTable('encryption_data_keys', {
  keyId: smallint('key_id').notNull(),
  wrapped: bytea('wrapped').notNull(),
  kmsKey: text('kms_key').notNull(),
  kmsKeyVersion: integer('kms_key_version').notNull(),
  isActive: boolean('is_active').notNull().default(false),
  createdAt: instantText('created_at').notNull().defaultNow(),
  wrappedAt: instantText('wrapped_at').notNull().defaultNow(),
});

export const calendar = pgTable('calendar', {
  isOnly: boolean('is_only').notNull().default(true),
  day: day('day').notNull(),
  movedAt: instantText('moved_at').notNull(),
});
