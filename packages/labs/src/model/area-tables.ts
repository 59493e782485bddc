import { boolean, doublePrecision, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const zipAreas = pgTable('zip_areas', {
  zipCode: text('zip_code').notNull(),
  lat: doublePrecision('lat').notNull(),
  lng: doublePrecision('lng').notNull(),
  ianaTimezone: text('iana_timezone').notNull(),
});

export const labServiceCenters = pgTable('lab_service_centers', {
  labId: integer('lab_id').notNull(),
  siteCode: text('site_code').notNull(),
  name: text('name').notNull(),
  firstLine: text('first_line').notNull(),
  secondLine: text('second_line'),
  city: text('city').notNull(),
  state: text('state').notNull(),
  zipCode: text('zip_code').notNull(),
  phoneNumber: text('phone_number'),
  faxNumber: text('fax_number'),
  website: text('website'),
  hours: jsonb('hours').$type<Readonly<Record<string, string>>>(),
  lat: doublePrecision('lat').notNull(),
  lng: doublePrecision('lng').notNull(),
  ianaTimezone: text('iana_timezone').notNull(),
  capabilities: text('capabilities').array().notNull(),
  billTypes: text('bill_types').array().notNull(),
  isActive: boolean('is_active').notNull(),
  origin: text('origin').notNull(),
});

export const phlebotomyAreas = pgTable('phlebotomy_areas', {
  provider: text('provider').notNull(),
  zipPrefix: text('zip_prefix').notNull(),
  tiers: text('tiers').array().notNull(),
});
