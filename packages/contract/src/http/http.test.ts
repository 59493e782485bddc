import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { CodedErrorBody, ValidationErrorBody } from './errors.ts';
import { linkTokenBodyFor, LinkTokenCreatedBody, OAuthLinkBody } from './linking.ts';
import { CatalogueBody, UserProvidersBody } from './providers.ts';
import { GroupedQuery, summaryBody, SummaryDaysQuery, summaryQuery } from './reads.ts';
import { CreateUserBody, UpdateUserBody, UserBody, UserConflictBody, UserListQuery } from './users.ts';
import { CreateWebhookBody, WebhookBody } from './webhooks/webhooks.ts';

const user = 'b3f0c1de-0000-4000-8000-000000000001';
const oura = { name: 'Oura', slug: 'oura', logo: 'https://assets.example/oura.png' };
const created = '2026-01-05T08:00:00+00:00';

function fits(schema: object, value: unknown): boolean {
  return Compile(schema).Check(value);
}

/** The distinct paths at which a value is invalid. */
function failing(schema: object, value: unknown): string[] {
  const [, errors] = Compile(schema).Errors(value);
  return [...new Set(errors.map(({ instancePath }) => instancePath))];
}

test('accepts a new user with only a reference, and null for every other field', () => {
  expect(fits(CreateUserBody, { client_user_id: 'user-000123' })).toBe(true);
  expect(fits(CreateUserBody, { client_user_id: 'x', fallback_time_zone: null, fallback_birth_date: null, ingestion_start: null })).toBe(
    true,
  );
  expect(fits(CreateUserBody, { client_user_id: 'x', unknown_key: 1 })).toBe(true);
  expect(fits(CreateUserBody, { client_user_id: null })).toBe(false);
  expect(fits(CreateUserBody, { client_user_id: '' })).toBe(false);
  expect(fits(UpdateUserBody, { client_user_id: null })).toBe(true);
});

test('finds each failing field of a request, and accepts no null as a date', () => {
  const body = { client_user_id: 7, fallback_birth_date: '2026-13-01', ingestion_start: '2026-01-01T00:00:00Z' };
  expect(failing(CreateUserBody, body)).toEqual(['/client_user_id', '/fallback_birth_date', '/ingestion_start']);
});

test('accepts bodies of users, conflicts and connections as clients know them', () => {
  const body = {
    user_id: user,
    team_id: user,
    client_user_id: 'user-000123',
    created_on: created,
    connected_sources: [{ provider: oura, source: oura, created_on: created }],
    fallback_time_zone: { id: 'Europe/London', source_slug: 'manual', updated_at: created },
    fallback_birth_date: null,
    ingestion_start: null,
    ingestion_end: null,
  };
  expect(fits(UserBody, body)).toBe(true);
  expect(
    fits(UserConflictBody, { detail: { error_type: 'INVALID_REQUEST', error_message: 'Taken.', user_id: user, created_on: created } }),
  ).toBe(true);
  const granted = { required: ['weight'], optional: [] };
  const scope_requirements = { user_granted: granted, user_denied: { required: [], optional: [] } };
  const resource_availability = {
    body: { status: 'available', scope_requirements },
    sleep: { status: 'unavailable', scope_requirements: null },
  };
  const provider = { ...oura, created_on: created, status: 'connected', external_user_id: 'A', error_details: null, resource_availability };
  expect(fits(UserProvidersBody, { providers: [provider] })).toBe(true);
});

test('accepts a link token request for a provider of the registry, or for none', () => {
  const schema = linkTokenBodyFor(['fitbit', 'oura']);
  expect(fits(schema, { user_id: user })).toBe(true);
  expect(fits(schema, { user_id: user, provider: null, filter_on_providers: ['fitbit'], on_close: 'redirect', on_error: null })).toBe(true);
  expect(fits(schema, { user_id: user, provider: 'nobody' })).toBe(false);
  expect(fits(schema, { user_id: user, filter_on_providers: [] })).toBe(false);
  expect(fits(schema, { user_id: user, on_close: 'stay' })).toBe(false);
  expect(fits(LinkTokenCreatedBody, { link_token: 't', link_web_url: 'https://link.example/?token=t' })).toBe(true);
});

test('the catalogue and OAuth link schemas accept unknown resources and kinds', () => {
  const entry = {
    name: 'Oura',
    slug: 'oura',
    description: 'Ring',
    logo: null,
    auth_type: 'oauth',
    supported_resources: ['sleep', 'something_new'],
  };
  expect(fits(CatalogueBody, [entry])).toBe(true);
  const link = { id: 7, ...oura, description: 'Ring', group: null, oauth_url: 'https://provider.example/authorize', auth_type: 'oauth' };
  expect(fits(OAuthLinkBody, { ...link, source_type: 'provider', is_active: true, backfill_num_days: 180 })).toBe(true);
});

test('enforces the bounds of paging, windows and slugs', () => {
  expect(fits(UserListQuery, { offset: 0, limit: 500 })).toBe(true);
  expect(failing(UserListQuery, { offset: -1, limit: 501 })).toEqual(['/offset', '/limit']);
  expect(fits(GroupedQuery, { start_date: '2026-01-04' })).toBe(true);
  expect(fits(GroupedQuery, {})).toBe(false);
  expect(summaryQuery('sleep_cycle')).toBe(SummaryDaysQuery);
  expect(fits(SummaryDaysQuery, { start_date: '2026-01-04T10:00:00Z' })).toBe(false);
});

test('returns summaries under their key, and profiles as the bare object', () => {
  expect(Object.keys(summaryBody('meal').properties)).toEqual(['meals']);
  expect(summaryBody('profile').properties).toHaveProperty('height');
});

test('requires the URL of an endpoint and the format of a secret', () => {
  expect(fits(CreateWebhookBody, { url: 'https://receiver.example/hook', filter_types: null, rate_limit: null })).toBe(true);
  expect(failing(CreateWebhookBody, { url: 'nowhere', secret: 'plain', rate_limit: 0 })).toEqual(['/rate_limit', '/url', '/secret']);
  const endpoint = { id: 'ep', description: null, rate_limit: null, url: 'https://r.example', disabled: false, filter_types: null };
  expect(fits(WebhookBody, { ...endpoint, created_at: created, updated_at: created })).toBe(true);
});

test('accepts validation errors and coded errors', () => {
  const missing = { type: 'missing', loc: ['body', 'client_user_id'], msg: 'Field required', input: {} };
  const radius = { type: 'enum', loc: ['query', 'radius', 0], msg: 'One of 10, 20', input: '30', ctx: { expected: '10, 20' } };
  expect(fits(ValidationErrorBody, { detail: [missing, radius] })).toBe(true);
  expect(fits(CodedErrorBody, { detail: { error_type: 'INVALID_REQUEST', error_message: 'Too many users.' } })).toBe(true);
});
