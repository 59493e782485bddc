import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putOAuthCredential, updateTeam } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import { describeApi } from '@pulsewire/service-api';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { useDatabase } from '../../support/database.ts';
import { recipe } from '../bulk/setup.ts';
import { createApiStage, idleIngest, linkThroughApi, type ApiStage, type Caller, type Reply } from './setup.ts';
import { messageId } from './webhook-facts.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
}

/** Whatever can name something of a team in a request. */
interface Ids {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly workout_id: string;
  readonly webhook_id: string;
  readonly message_id: string;
  readonly replay_id: string;
  readonly operation_id: string;
  readonly key_id: string;
  readonly linkToken: string;
}

const database = useDatabase();
let stage: ApiStage;
let owner: Caller;
let stranger: Caller;

beforeAll(async () => {
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
  const bulk = { requestWork: async () => {}, onPaused: async () => {} };
  stage = await createApiStage(database.current, {
    config: { sandboxUsersMax: 1000 },
    overrides: { cipher, ingest: { ...idleIngest, bulk } },
  });
  // Sandbox teams with every switch on: what only they may do must be kept apart too.
  [owner, stranger] = [await stage.newCaller({ isSandbox: true }), await stage.newCaller({ isSandbox: true })];
  for (const { team } of [owner, stranger]) {
    await updateTeam(database.current, team.teamId, { bulkOperations: true });
    const credential = { clientId: 'team-id', clientSecret: 'team-secret', redirectUrlOverride: null };
    await putOAuthCredential(database.current, { cipher, clock: stage.clock }, { teamId: team.teamId, provider: 'fitbit', ...credential });
  }
});
afterAll(() => stage.close());

const document = (await describeApi()) as { paths: Record<string, Record<string, Omit<Operation, 'path' | 'method'>>> };
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    parameters: operation.parameters ?? [],
    path,
    method: method.toUpperCase() as Method,
  })),
);

const openToAll = new Set(['finishOAuthLink', 'getWebhookKeys', 'answerPushHandshake', 'receivePush']);

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
const notBuilt = new Set(['createSignInToken', 'createPortalUrl']);

/** The provider of a path, where it is not one for everybody. */
const pathProviders: Readonly<Record<string, string>> = {
  linkWithPassword: 'whoop',
  completeMfa: 'whoop',
  linkByEmail: 'freestyle_libre',
  linkManually: 'manual',
};

/** Makes a user with a connection and data, an endpoint and a link token for the owner. */
async function makeOwned(): Promise<Ids> {
  const reference = `owned-${randomUUID()}`;
  const { user_id: userId } = (await owner.call('POST', '/v2/user', { client_user_id: reference })).body;
  await linkThroughApi(stage, owner, userId);
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
  const workout = { ...profile, id: randomUUID(), resource: 'workouts', calendarDate: '2026-01-01', data: {} } as const;
  const version = await drawVersion(database.current);
  const batch = {
    owner: { teamId: owner.team.teamId, userId, clientUserId: reference },
    version,
    origin: 'live',
    records: [profile, workout],
    sourceId: 1,
    traceId: null,
  } as const;
  await withEvents(database.current, (tx, emit) => writeRecords(tx, emit, batch));
  const replay = await owner.call('POST', `/v2/team/webhook/${id}/replay`, { since: '2025-01-01T00:00:00Z', selection: 'failed' });
  const [event] = await database.current.sql<{ event_id: string }[]>`SELECT event_id FROM log_events WHERE user_id = ${userId} LIMIT 1`;
  const bulk = await owner.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: [recipe(userId)] });
  const named = {
    message_id: messageId({ eventId: event?.event_id ?? '' }),
    replay_id: replay.body.id,
    operation_id: String(bulk.headers['x-bulk-operation-id']),
    key_id: (await owner.call('POST', '/v2/team/api_key', { label: 'owned' })).body.id,
  };
  return { user_id: userId, client_user_id: reference, workout_id: workout.id, webhook_id: id, ...named, linkToken };
}

const unknownMessages = () => ({
  message_id: messageId({ eventId: randomUUID() }),
  replay_id: randomUUID(),
  operation_id: randomUUID(),
  key_id: randomUUID(),
});

/** Ids that nobody has; the token is well signed, but its session is gone. */
async function makeUnknown(): Promise<Ids> {
  const { user_id: userId } = (await stranger.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const { link_token: linkToken } = (await stranger.call('POST', '/v2/link/token', { user_id: userId })).body;
  await database.current.sql`DELETE FROM link_sessions WHERE user_id = ${userId}`;
  const named = { workout_id: randomUUID(), webhook_id: randomUUID(), ...unknownMessages() };
  return { user_id: randomUUID(), client_user_id: `unknown-${randomUUID()}`, ...named, linkToken };
}

function send(caller: Caller, operation: Operation, ids: Ids): Promise<Reply> {
  const fixed: Record<string, string> = {
    provider: pathProviders[operation.operationId] ?? 'fitbit',
    oauth_provider: 'fitbit',
    resource: 'steps',
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

describe('ids of another team', () => {
  it.each(
    operations
      .filter(({ operationId }) => !openToAll.has(operationId))
      .map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
  )('answer like unknown ones: %s', async (_name, operation) => {
    const owned = await makeOwned();
    // A demo user has no real connections.
    if (operation.operationId === 'connectDemo') await owner.call('DELETE', `/v2/user/${owned.user_id}/fitbit`);
    if (operation.operationId === 'undoDeleteUser') await owner.call('DELETE', `/v2/user/${owned.user_id}`);
    const foreign = await send(stranger, operation, owned);
    const unknown = await send(stranger, operation, await makeUnknown());
    expect(foreign.status).toBe(unknown.status);
    for (const id of Object.values(owned)) expect(foreign.text).not.toContain(id);
    // Where the request names something, the answer is a refusal, the same to the letter.
    const namesSomething =
      /\{(?:user_id|client_user_id|workout_id|webhook_id|message_id|replay_id|operation_id|key_id)\}/.test(operation.path) ||
      [
        ...Object.keys(pathProviders),
        'createLinkToken',
        'startOAuthLink',
        'undoDeleteUser',
        'connectDemo',
        'getLinkState',
        'listLinkProviders',
      ].includes(operation.operationId);
    if (namesSomething) {
      // A link that is refused says so with status 200.
      if (foreign.status === 200) expect(foreign.body).toMatchObject({ state: 'error', error_type: 'invalid_token' });
      else expect(foreign.status).toBeGreaterThanOrEqual(400);
      expect(foreign.body).toEqual(unknown.body);
    }
    // What was refused to the stranger works for the owner: the request itself is right, and nothing was changed by the attempt.
    const own = await send(owner, operation, owned);
    const isRight = (status: number) => (notBuilt.has(operation.operationId) ? status === 501 : status < 300);
    expect([own.status, own.text]).toEqual([expect.toSatisfy(isRight), own.text]);
  });
});
