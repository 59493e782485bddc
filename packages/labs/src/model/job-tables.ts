import { counter, instant } from '@pulsewire/database';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { BookingToRelease } from './appointment.ts';

/** Calls to partners that are to be made. Only columns: keys, indexes and checks are declared by the migrations. */
export const labPartnerJobs = pgTable('lab_partner_jobs', {
  jobId: uuid('job_id').notNull(),
  teamId: uuid('team_id').notNull(),
  partner: text('partner').notNull(),
  kind: text('kind').notNull(),
  orderId: uuid('order_id'),
  appointmentId: uuid('appointment_id'),
  idempotencyKey: text('idempotency_key').notNull(),
  attempts: integer('attempts').notNull().default(0),
  dueAt: instant('due_at'),
  deadlineAt: instant('deadline_at'),
  leaseUntil: instant('lease_until'),
  leaseEpoch: counter('lease_epoch').notNull().default(0n),
  lastError: text('last_error'),
  booking: jsonb('booking').$type<BookingToRelease>(),
  createdAt: instant('created_at').notNull(),
});
