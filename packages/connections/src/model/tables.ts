import { bytea, counter, day, instant } from '@pulsewire/database';
import type { ConnectionErrorType } from '@pulsewire/contract';
import { boolean, cidr, doublePrecision, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { apiKeyScopes } from './api-key-scopes.ts';

// Only columns: keys, indexes and checks are declared by the migrations. A test compares every column with the migrated schema.

export const teams = pgTable('teams', {
  teamId: uuid('team_id').notNull(),
  name: text('name').notNull(),
  isSandbox: boolean('is_sandbox').notNull().default(false),
  pushHistoricalData: boolean('push_historical_data').notNull().default(true),
  providerRawData: boolean('provider_raw_data').notNull().default(false),
  rejectDuplicateConnection: boolean('reject_duplicate_connection').notNull().default(false),
  contractDate: day('contract_date'),
  createdAt: instant('created_at').notNull(),
  bulkOperations: boolean('bulk_operations').notNull().default(false),
  historyDays: integer('history_days'),
  redirectSchemes: text('redirect_schemes').array().notNull().default([]),
  sourceOrder: jsonb('source_order').$type<Readonly<Record<string, readonly string[]>>>().notNull().default({}),
  confirmLinks: boolean('confirm_links').notNull().default(false),
  partialResults: boolean('partial_results').notNull().default(false),
  minorOrdering: boolean('minor_ordering').notNull().default(false),
  humanReview: boolean('human_review').notNull().default(false),
  bookingBeforeRequisition: boolean('booking_before_requisition').notNull().default(false),
  refusePersonalReferences: boolean('refuse_personal_references').notNull().default(false),
  deletedAt: instant('deleted_at'),
  undoStartedAt: instant('undo_started_at'),
});

export const apiKeys = pgTable('api_keys', {
  keyId: uuid('key_id').notNull(),
  teamId: uuid('team_id').notNull(),
  keyHash: bytea('key_hash').notNull(),
  label: text('label').notNull(),
  createdAt: instant('created_at').notNull(),
  revokedAt: instant('revoked_at'),
  scopes: text('scopes', { enum: apiKeyScopes }).array(),
  expiresAt: instant('expires_at'),
  allowedAddresses: cidr('allowed_addresses').array(),
  lastUsedAt: instant('last_used_at'),
  rateLimit: integer('rate_limit'),
});

/** Token buckets that limit the requests of each key; unlogged, so a crash empties it. */
export const apiKeyBuckets = pgTable('api_key_buckets', {
  keyId: uuid('key_id').notNull(),
  tokens: doublePrecision('tokens').notNull(),
  refilledAt: instant('refilled_at').notNull(),
  granted: integer('granted').notNull(),
});

export const failedKeys = pgTable('failed_keys', {
  address: text('address').notNull(),
  failures: integer('failures').notNull(),
  since: instant('since').notNull(),
});

export const teamOAuthCredentials = pgTable('team_oauth_credentials', {
  teamId: uuid('team_id').notNull(),
  provider: text('provider').notNull(),
  clientId: text('client_id').notNull(),
  clientSecret: bytea('client_secret').notNull(),
  redirectUrlOverride: text('redirect_url_override'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const teamScopeRequirements = pgTable('team_scope_requirements', {
  teamId: uuid('team_id').notNull(),
  provider: text('provider').notNull(),
  mustGrant: text('must_grant').array().notNull(),
});

export const users = pgTable('users', {
  userId: uuid('user_id').notNull(),
  teamId: uuid('team_id').notNull(),
  clientUserId: text('client_user_id').notNull(),
  fallbackTimeZone: text('fallback_time_zone'),
  fallbackTimeZoneSource: text('fallback_time_zone_source'),
  fallbackTimeZoneAt: instant('fallback_time_zone_at'),
  fallbackBirthDate: day('fallback_birth_date'),
  fallbackBirthDateSource: text('fallback_birth_date_source'),
  fallbackBirthDateAt: instant('fallback_birth_date_at'),
  ingestionStart: day('ingestion_start'),
  ingestionEnd: day('ingestion_end'),
  createdAt: instant('created_at').notNull(),
  deletedAt: instant('deleted_at'),
});

export const userRefreshes = pgTable('user_refreshes', {
  userId: uuid('user_id').notNull(),
  refreshedAt: instant('refreshed_at').notNull(),
});

export const connections = pgTable('connections', {
  connectionId: uuid('connection_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  providerUserId: text('provider_user_id'),
  status: text('status', { enum: ['connected', 'error', 'paused'] }).notNull(),
  application: text('application', { enum: ['team', 'platform'] }).notNull(),
  grantedScopes: text('granted_scopes').array().notNull().default([]),
  deniedScopes: text('denied_scopes').array().notNull().default([]),
  account: jsonb('account').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
  errorType: text('error_type').$type<ConnectionErrorType>(),
  errorMessage: text('error_message'),
  erroredAt: instant('errored_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  externalUserId: text('external_user_id'),
  demoDueAt: instant('demo_due_at'),
  demoFilledTo: instant('demo_filled_to'),
});

/** Which days of a user are read from an ending provider, and from when on its successor is read. */
export const connectionHandovers = pgTable('connection_handovers', {
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  fromProvider: text('from_provider').notNull(),
  fromAccount: text('from_account').notNull(),
  toProvider: text('to_provider').notNull(),
  toAccount: text('to_account').notNull(),
  onDay: day('on_day').notNull(),
  at: instant('at').notNull(),
  createdAt: instant('created_at').notNull(),
});

/** Where the successor has only a part of the data: how the days of each resource are divided, as in `handover/days.ts`. */
export const resourceHandovers = pgTable('resource_handovers', {
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  fromProvider: text('from_provider').notNull(),
  fromAccount: text('from_account').notNull(),
  toProvider: text('to_provider').notNull(),
  toAccount: text('to_account').notNull(),
  days: jsonb('days').$type<Readonly<Record<string, readonly unknown[] | null>>>().notNull(),
  endingAgain: text('ending_again').array().notNull().default([]),
  successorAgain: text('successor_again').array().notNull().default([]),
  createdAt: instant('created_at').notNull(),
});

export const connectionTokens = pgTable('connection_tokens', {
  connectionId: uuid('connection_id').notNull(),
  accessToken: bytea('access_token').notNull(),
  refreshToken: bytea('refresh_token'),
  issuedAt: instant('issued_at').notNull(),
  expiresAt: instant('expires_at'),
  tokenVersion: counter('token_version').notNull(),
  leaseEpoch: counter('lease_epoch').notNull().default(0n),
  leaseUntil: instant('lease_until'),
  refreshSentAt: instant('refresh_sent_at'),
  unclearSince: instant('unclear_since'),
  refusals: integer('refusals').notNull().default(0),
  failures: integer('failures').notNull().default(0),
  nextRefreshAt: instant('next_refresh_at'),
  setbackAt: instant('setback_at'),
  redirectUrl: text('redirect_url'),
});

export const linkSessions = pgTable('link_sessions', {
  sessionId: uuid('session_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider'),
  redirectUrl: text('redirect_url'),
  filterOnProviders: text('filter_on_providers').array(),
  onError: text('on_error', { enum: ['redirect'] }),
  onClose: text('on_close', { enum: ['redirect'] }),
  state: text('state', { enum: ['open', 'validated', 'pending_provider_mfa', 'success'] }).notNull(),
  startedProvider: text('started_provider'),
  codeVerifier: bytea('code_verifier'),
  callbackEpoch: counter('callback_epoch').notNull().default(0n),
  callbackUntil: instant('callback_until'),
  consumedAt: instant('consumed_at'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  startedFrom: text('started_from', { enum: ['api', 'client', 'page'] })
    .notNull()
    .default('api'),
  mfaTicket: bytea('mfa_ticket'),
  mfaMethod: text('mfa_method', { enum: ['sms', 'email', 'choice'] }),
  mfaHint: text('mfa_hint'),
  mfaExpiresAt: instant('mfa_expires_at'),
  mfaAttempts: integer('mfa_attempts').notNull().default(0),
  lastErrorType: text('last_error_type'),
  consentId: uuid('consent_id'),
});

export const deregistrations = pgTable('deregistrations', {
  connectionId: uuid('connection_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  providerUserId: text('provider_user_id'),
  application: text('application', { enum: ['team', 'platform'] }).notNull(),
  grantedScopes: text('granted_scopes').array().notNull(),
  /** JSON null: the tokens never belonged to a connection. */
  account: jsonb('account').$type<Readonly<Record<string, unknown>> | null>().notNull(),
  accessToken: bytea('access_token').notNull(),
  refreshToken: bytea('refresh_token'),
  attempts: integer('attempts').notNull().default(0),
  /** A leased row is due again when its lease ends. */
  dueAt: instant('due_at').notNull(),
  /** Raised by every claim, and by a trigger when the access token changes. */
  leaseEpoch: counter('lease_epoch').notNull().default(0n),
  lastErrorCode: text('last_error_code'),
  createdAt: instant('created_at').notNull(),
});

export const linkConsents = pgTable('link_consents', {
  consentId: uuid('consent_id').notNull(),
  sessionId: uuid('session_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  providerUserId: text('provider_user_id'),
  application: text('application', { enum: ['team', 'platform'] }).notNull(),
  codeHash: bytea('code_hash').notNull(),
  tokenResponse: bytea('token_answer').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const loginAttempts = pgTable('login_attempts', {
  key: bytea('key').notNull(),
  attemptId: uuid('attempt_id').notNull(),
  attemptedAt: instant('attempted_at').notNull(),
});

export const simulatedProviders = pgTable('simulated_providers', {
  provider: text('provider').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const erasures = pgTable('erasures', {
  userId: uuid('user_id').notNull(),
  teamId: uuid('team_id').notNull(),
  erasedAt: instant('erased_at').notNull(),
});

export const teamErasures = pgTable('team_erasures', {
  teamId: uuid('team_id').notNull(),
  erasedAt: instant('erased_at').notNull(),
});

export const emailLinks = pgTable('email_links', {
  linkId: uuid('link_id').notNull(),
  teamId: uuid('team_id').notNull(),
  userId: uuid('user_id').notNull(),
  provider: text('provider').notNull(),
  email: text('email').notNull(),
  region: text('region'),
  application: text('application', { enum: ['team', 'platform'] }).notNull(),
  logoBaseUrl: text('logo_base_url').notNull(),
  requestedAt: instant('requested_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
