import { bytea, counter, day, instant } from '@pulsewire/database';
import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { AppointmentEventData, StoredSlot } from './appointment.ts';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const labAppointments = pgTable('lab_appointments', {
  appointmentId: uuid('appointment_id').notNull(),
  orderId: uuid('order_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id'),
  type: text('type').notNull(),
  provider: text('provider').notNull(),
  status: text('status').notNull(),
  eventStatus: text('event_status').notNull(),
  providerId: text('provider_id').notNull(),
  externalId: text('external_id'),
  siteCode: text('site_code'),
  startAt: instant('start_at'),
  endAt: instant('end_at'),
  ianaTimezone: text('iana_timezone'),
  canReschedule: boolean('can_reschedule').notNull(),
  details: bytea('details').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const labAppointmentEvents = pgTable('lab_appointment_events', {
  eventId: counter('event_id').notNull().generatedAlwaysAsIdentity(),
  appointmentId: uuid('appointment_id').notNull(),
  status: text('status').notNull(),
  data: jsonb('data').$type<AppointmentEventData>(),
  createdAt: instant('created_at').notNull(),
});

export const labUsedBookingKeys = pgTable('lab_used_booking_keys', {
  keyHash: text('key_hash').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const labCenterSlots = pgTable('lab_center_slots', {
  provider: text('provider').notNull(),
  isSimulated: boolean('is_simulated').notNull(),
  siteCode: text('site_code').notNull(),
  firstDay: day('first_day').notNull(),
  lastDay: day('last_day').notNull(),
  slots: jsonb('slots').$type<readonly StoredSlot[]>().notNull(),
  fetchedAt: instant('fetched_at').notNull(),
});
