import { bytea, counter, day, instant } from '@pulsewire/database';
import { boolean, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { OrderStatus } from './order-status-words.ts';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const labTeamKeys = pgTable('lab_team_keys', {
  teamId: uuid('team_id').notNull(),
  searchKey: bytea('search_key').notNull(),
});

export const labUserInfo = pgTable('lab_user_info', {
  userId: uuid('user_id').notNull(),
  teamId: uuid('team_id').notNull(),
  details: bytea('details').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const labUserInsurance = pgTable('lab_user_insurance', {
  userId: uuid('user_id').notNull(),
  isPrimary: boolean('is_primary').notNull(),
  teamId: uuid('team_id').notNull(),
  insuranceId: uuid('insurance_id').notNull(),
  details: bytea('details').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const labOrderTransactions = pgTable('lab_order_transactions', {
  transactionId: uuid('transaction_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id'),
  createdAt: instant('created_at').notNull(),
});

export const labOrders = pgTable('lab_orders', {
  orderId: uuid('order_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id'),
  isHidden: boolean('is_hidden').notNull().default(false),
  transactionId: uuid('transaction_id').notNull(),
  parentId: uuid('parent_id'),
  origin: text('origin').notNull(),
  labId: integer('lab_id').notNull(),
  labTestId: uuid('lab_test_id').notNull(),
  labAccountId: uuid('lab_account_id'),
  method: text('method').notNull(),
  status: text('status').$type<OrderStatus>().notNull(),
  statusAt: instant('status_at').notNull(),
  interpretation: text('interpretation'),
  hasMissingResults: boolean('has_missing_results'),
  hasAbn: boolean('has_abn').notNull().default(false),
  isRegistrable: boolean('is_registrable').notNull().default(false),
  sampleId: text('sample_id'),
  priority: boolean('priority').notNull().default(false),
  billingType: text('billing_type').notNull(),
  activateBy: day('activate_by'),
  wasScheduled: boolean('was_scheduled').notNull().default(false),
  collectedOn: day('collected_on'),
  labNoticedAt: instant('lab_noticed_at'),
  smsEnabled: boolean('sms_enabled').notNull().default(true),
  nameHashes: counter('name_hashes').array().notNull().default([]),
  recipientHashes: counter('recipient_hashes').array().notNull().default([]),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const labOrderDetails = pgTable('lab_order_details', {
  orderId: uuid('order_id').notNull(),
  details: bytea('details').notNull(),
});

export const labOrderEvents = pgTable('lab_order_events', {
  eventId: counter('event_id').notNull().generatedAlwaysAsIdentity(),
  orderId: uuid('order_id').notNull(),
  status: text('status').$type<OrderStatus>().notNull(),
  statusDetail: text('status_detail'),
  createdAt: instant('created_at').notNull(),
});

export const labRequests = pgTable('lab_requests', {
  teamId: uuid('team_id').notNull(),
  endpoint: text('endpoint').notNull(),
  keyHash: text('key_hash').notNull(),
  payloadHash: text('payload_hash').notNull(),
  attemptId: uuid('attempt_id').notNull(),
  userId: uuid('user_id'),
  status: smallint('status'),
  response: bytea('response'),
  runningUntil: instant('running_until').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const labUnmatchedResults = pgTable('lab_unmatched_results', {
  resultId: uuid('result_id').notNull(),
  teamId: uuid('team_id').notNull(),
  labId: integer('lab_id').notNull(),
  status: text('status').notNull(),
  decisionCode: text('decision_code').notNull(),
  subReasonCodes: text('sub_reason_codes').array().notNull().default([]),
  reportDigest: text('report_digest').notNull(),
  candidateUserIds: uuid('candidate_user_ids').array().notNull().default([]),
  resolutionAction: text('resolution_action'),
  resolvedUserId: uuid('resolved_user_id'),
  resolvedOrderId: uuid('resolved_order_id'),
  nameHashes: counter('name_hashes').array().notNull().default([]),
  details: bytea('details').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  reviewedAt: instant('reviewed_at'),
});

export const labHeldNotices = pgTable('lab_held_notices', {
  noticeId: uuid('notice_id').notNull(),
  labId: integer('lab_id').notNull(),
  reason: text('reason').notNull(),
  digest: text('digest').notNull(),
  candidateUserIds: uuid('candidate_user_ids').array().notNull().default([]),
  details: bytea('details').notNull(),
  createdAt: instant('created_at').notNull(),
});

export const labShipments = pgTable('lab_shipments', {
  shipmentId: uuid('shipment_id').notNull(),
  orderId: uuid('order_id').notNull(),
  teamId: uuid('team_id').notNull(),
  partner: text('partner').notNull(),
  providerId: text('provider_id').notNull(),
  details: bytea('details').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const labOrderFiles = pgTable('lab_order_files', {
  orderId: uuid('order_id').notNull(),
  part: text('part').notNull(),
  contentType: text('content_type').notNull(),
  content: bytea('content').notNull(),
});

export const labResults = pgTable('lab_results', {
  orderId: uuid('order_id').notNull(),
  status: text('status').notNull(),
  interpretation: text('interpretation'),
  version: integer('version').notNull(),
  details: bytea('details').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});
