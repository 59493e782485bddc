import { day, instantText } from '@pulsewire/database';
import { inet, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { auditEffects } from './audit-entry.ts';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const auditEntries = pgTable('audit_entries', {
  day: day('day').notNull(),
  entryId: uuid('entry_id').notNull(),
  at: instantText('at').notNull(),
  teamId: uuid('team_id'),
  actorKind: text('actor_kind', { enum: ['key', 'operator'] }).notNull(),
  actor: text('actor').notNull(),
  effect: text('effect', { enum: auditEffects }).notNull(),
  action: text('action').notNull(),
  userId: uuid('user_id'),
  target: jsonb('target').$type<Readonly<Record<string, string>>>(),
  address: inet('address'),
  status: smallint('status').notNull(),
  requestId: text('request_id'),
});
