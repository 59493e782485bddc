import { randomUUID } from 'node:crypto';
import { withEvents } from '@pulsewire/eventlog';
import type { Database } from '@pulsewire/database';
import { describeApi } from '@pulsewire/service-api';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { recipe } from '../../bulk/harness.ts';
import { linkThroughApi, type ApiHarness, type Caller, type Reply } from './harness.ts';
import { messageId } from './webhook-facts.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
}

/** Whatever can name something of a team in a request. */
export interface Ids {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly workout_id: string;
  readonly sleep_id: string;
  readonly webhook_id: string;
  readonly message_id: string;
  readonly replay_id: string;
  readonly operation_id: string;
  readonly key_id: string;
  readonly linkToken: string;
}

const document = (await describeApi()) as { paths: Record<string, Record<string, Omit<Operation, 'path' | 'method'>>> };
/** Every operation of the document. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    parameters: operation.parameters ?? [],
    path,
    method: method.toUpperCase() as Method,
  })),
);

/** Operations without those that one row of the resource registry makes like all others: a few series stand for them. */
export const distinctOperations: Operation[] = operations.filter(({ path }) => {
  const [, series] = /^\/v2\/timeseries\/\{user_id\}\/(\w+)/.exec(path) ?? [];
  return series === undefined || ['steps', 'weight', 'cholesterol', 'hypnogram'].includes(series);
});

/** Bodies by operation; everything that is an id comes from `ids`. A new endpoint with a body adds its row. */
const bodies: Readonly<Record<string, (ids: Ids) => object>> = {
  createUser: () => ({ client_user_id: randomUUID() }),
  updateUser: () => ({ fallback_time_zone: 'Europe/Lisbon' }),
  createPortalUrl: () => ({ context: 'launch' }),
  createLinkToken: (ids) => ({ user_id: ids.user_id }),
  linkWithPassword: () => ({ username: 'ann', password: 'right' }),
  completeMfa: () => ({ mfa_code: '123456' }),
  linkByEmail: () => ({ email: 'ann@example.test' }),
  linkManually: (ids) => ({ user_id: ids.user_id, provider_id: 'phone' }),
  connectDemo: (ids) => ({ user_id: ids.user_id, provider: 'fitbit' }),
  createApiKey: () => ({ label: 'another' }),
  updateApiKey: () => ({ label: 'renamed' }),
  rotateApiKey: () => ({}),
  createWebhook: () => ({ url: 'https://receiver.test/' }),
  updateWebhook: () => ({ description: 'x' }),
  putWebhookHeaders: () => ({ headers: {} }),
  rotateWebhookSecret: () => ({}),
  recoverWebhookMessages: () => ({ since: '2026-01-01T00:00:00Z' }),
  sendWebhookTest: () => ({ event_type: 'daily.data.sleep.created' }),
  // Another one would be refused while the one of `ids` runs.
  bulkImport: (ids) => ({ provider: 'fitbit', connections: [recipe(ids.user_id)] }),
  bulkExport: (ids) => ({ provider: 'fitbit', user_ids: [ids.user_id] }),
  bulkPause: (ids) => ({ provider: 'fitbit', user_ids: [ids.user_id] }),
  bulkTriggerHistoricalPull: (ids) => ({ provider: 'fitbit', user_ids: [ids.user_id] }),
  createWebhookReplay: (ids) => ({ since: '2026-01-01T00:00:00Z', user_id: ids.user_id, selection: 'all', dry_run: true }),
};

/** Answered with 501 to whoever may ask. */
export const notBuilt = new Set(['createSignInToken', 'createPortalUrl']);

/** The provider of a path, where it is not one for everybody. */
export const pathProviders: Readonly<Record<string, string>> = {
  linkWithPassword: 'whoop',
  completeMfa: 'whoop',
  linkByEmail: 'freestyle_libre',
  linkManually: 'manual',
};

/** Makes a user with a connection and data, an endpoint and a link token for the owner. */
export async function makeOwned(database: Database, harness: ApiHarness, owner: Caller): Promise<Ids> {
  const reference = `owned-${randomUUID()}`;
  const { user_id: userId } = (await owner.call('POST', '/v2/user', { client_user_id: reference })).body;
  await linkThroughApi(harness, owner, userId);
  const { id } = (await owner.call('POST', '/v2/team/webhook', { url: `https://receiver.test/${userId}` })).body;
  const { link_token: linkToken } = (await owner.call('POST', '/v2/link/token', { user_id: userId })).body;
  const profile = {
    kind: 'summary',
    id: randomUUID(),
    resource: 'profile',
    source: { provider: 'fitbit', type: 'app' },
    calendarDate: null,
    at: 0,
    data: { date: '2026-01-01', height: 170 },
  } as const;
  const bedtime = { bedtime_start: '2026-01-01T00:00:00+00:00', bedtime_stop: '2026-01-01T06:00:00+00:00' };
  const sleep = { ...profile, id: randomUUID(), resource: 'sleep', calendarDate: '2026-01-01', data: bedtime } as const;
  const workout = { ...profile, id: randomUUID(), resource: 'workouts', calendarDate: '2026-01-01', data: {} } as const;
  const version = await drawVersion(database);
  const batch = {
    owner: { teamId: owner.team.teamId, userId, clientUserId: reference },
    version,
    origin: 'live',
    records: [profile, sleep, workout],
    sourceId: 1,
    traceId: null,
  } as const;
  await withEvents(database, (tx, emit) => writeRecords(tx, emit, batch));
  const replay = await owner.call('POST', `/v2/team/webhook/${id}/replay`, { since: '2025-01-01T00:00:00Z', selection: 'failed' });
  const [event] = await database.sql<{ event_id: string }[]>`SELECT event_id FROM log_events WHERE user_id = ${userId} LIMIT 1`;
  const bulk = await owner.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: [recipe(userId)] });
  const named = {
    message_id: messageId({ eventId: event?.event_id ?? '' }),
    replay_id: replay.body.id,
    operation_id: String(bulk.headers['x-bulk-operation-id']),
    key_id: (await owner.call('POST', '/v2/team/api_key', { label: 'owned' })).body.id,
  };
  return { user_id: userId, client_user_id: reference, workout_id: workout.id, sleep_id: sleep.id, webhook_id: id, ...named, linkToken };
}

/** The request of an operation, right in every other way, with these ids. */
export function send(caller: Caller, operation: Operation, ids: Ids): Promise<Reply> {
  const fixed: Record<string, string> = {
    provider: pathProviders[operation.operationId] ?? 'fitbit',
    oauth_provider: 'fitbit',
    kind: 'ldl',
    start_date: '2026-01-01',
    query_id: ids.user_id,
  };
  const value = (name: string) => encodeURIComponent(fixed[name] ?? (ids as unknown as Record<string, string>)[name] ?? '');
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
  const query = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && (parameter.required || parameter.name === 'user_id'),
  );
  const text = query.map(({ name }) => `${name}=${value(name)}`).join('&');
  return caller.call(operation.method, `${path}?${text}`, bodies[operation.operationId]?.(ids), { 'x-service-link-token': ids.linkToken });
}
