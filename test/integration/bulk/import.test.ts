import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteUser, getAccessToken, listConnections, runImport, updateTeam } from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/support/harness.ts';
import { createBulkHarness, recipe, workUntil, type BulkHarness } from './harness.ts';

const database = useDatabase();
let harness: BulkHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createBulkHarness(database.current);
});
beforeEach(async () => {
  caller = await harness.enabledCaller();
});
afterAll(() => harness.close());

const path = '/v2/link/bulk_import';
const send = (body: unknown, by = caller) => by.call('POST', path, body);
const body = (connections: unknown, more: object = {}) => ({ provider: 'fitbit', connections, ...more });
const itemsOf = async (reply: { headers: Readonly<Record<string, unknown>> }, query = '') =>
  (await caller.call('GET', `/v2/link/bulk_op/${String(reply.headers['x-bulk-operation-id'])}/item${query}`)).body;
const operations = async (query = '') => (await caller.call('GET', `/v2/link/bulk_op${query}`)).body;
const stored = (table: 'bulk_items' | 'bulk_operations') =>
  database.current.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM ${database.current.sql(table)}`;
const createdEvents = (userId: string) =>
  database.current.sql<
    { json: string }[]
  >`SELECT json FROM log_events WHERE event_type = 'provider.connection.created' AND user_id = ${userId}`;

describe('access to bulk import', () => {
  it('is rejected with 403 until an operator enables it for the team', async () => {
    await updateTeam(database.current, caller.team.teamId, { bulkOperations: false });
    const reply = await send(body([]));
    expect([reply.status, typeof reply.body.detail]).toEqual([403, 'string']);
  });

  it("is rejected with 400 without the team's own application, and nothing of the body is stored", async () => {
    const other = await harness.enabledCaller();
    await database.current.sql`DELETE FROM team_oauth_credentials WHERE team_id = ${other.team.teamId}`;
    const before = await stored('bulk_items');
    const reply = await send(body([recipe(randomUUID())]), other);
    expect([reply.status, typeof reply.body.detail]).toEqual([400, 'string']);
    expect(await stored('bulk_items')).toEqual(before);
  });

  it('requires a key before the body is read', async () => {
    expect((await harness.api.bare('POST', path, '{broken')).status).toBe(401);
  });
});

describe('an invalid body', () => {
  const errorsOf = (reply: Awaited<ReturnType<typeof send>>) =>
    (reply.body.detail as { loc: (string | number)[]; type: string }[]).map(({ loc, type }) => `${loc.join('.')} ${type}`);

  it('gets every invalid field of every recipe, each with its index in the list', async () => {
    const good = recipe(randomUUID());
    const { access_token: _, ...withoutToken } = good;
    const reply = await send({
      connections: [good, { ...good, user_id: 'nobody', expires_at: '5' }, withoutToken, 7, { ...good, oauth_scopes: [1] }],
      provider: 'nowhere',
      wait_for_completion: 'yes',
    });
    expect(reply.status).toBe(422);
    expect(errorsOf(reply)).toEqual([
      'body.provider enum',
      'body.wait_for_completion bool_parsing',
      'body.connections.1.user_id uuid_parsing',
      'body.connections.1.expires_at int_type',
      'body.connections.2.access_token missing',
      'body.connections.3 model_attributes_type',
      'body.connections.4.oauth_scopes.0 string_type',
    ]);
  });

  it('never has its tokens echoed, whatever else is invalid', async () => {
    const reply = await send(
      body([
        { ...recipe(randomUUID()), user_id: 1, refresh_token: 5 },
        { access_token: 'a-secret', refresh_token: 'another' },
      ]),
    );
    expect(reply.status).toBe(422);
    expect(reply.text).not.toMatch(/a-secret|another|access-of|refresh-of/);
  });

  it.each([
    ['nothing', '', ['body missing']],
    ['a list', '[]', ['body model_attributes_type']],
    ['a number', '12', ['body model_attributes_type']],
    ['an empty object', '{}', ['body.provider missing', 'body.connections missing']],
    ['no list', '{"provider":"fitbit","connections":{"0":{}}}', ['body.connections list_type']],
    ['null for a list', '{"provider":"fitbit","connections":null}', ['body.connections list_type']],
  ])('gets the missing or invalid fields reported: %s', async (_what, text, expected) => {
    const reply = await send(text);
    expect([reply.status, errorsOf(reply)]).toEqual([422, expected]);
  });

  it.each([
    ['truncated', '{"provider":"fitbit","connections":[{"user_id":'],
    ['not closed', '{"provider":"fitbit","connections":[]'],
    ['followed by more', '{"provider":"fitbit","connections":[]} {}'],
    ['without a comma', '{"provider":"fitbit" "connections":[]}'],
    ['with two lists', '{"connections":[],"provider":"fitbit","connections":[]}'],
  ])('is invalid JSON when %s', async (_what, text) => {
    const reply = await send(text);
    expect([reply.status, reply.body.detail[0].type, reply.body.detail[0].loc[0]]).toEqual([422, 'json_invalid', 'body']);
  });

  it('gets only the first 200 invalid fields', async () => {
    const reply = await send(body(Array.from({ length: 3000 }, () => ({}))));
    expect([reply.status, reply.body.detail.length]).toEqual([422, 200]);
  });

  it('is rejected with 413 when one recipe is larger than any valid recipe', async () => {
    const endless = Readable.from(
      (function* () {
        yield '{"provider":"fitbit","connections":[{"access_token":"';
        for (let i = 0; i < 100; i++) yield 'x'.repeat(16_384);
      })(),
    );
    const headers = { 'content-type': 'application/json', 'x-service-api-key': caller.key };
    const response = await harness.api.api.app.inject({ method: 'POST', url: path, headers, payload: endless });
    expect(response.statusCode).toBe(413);
  });

  it('leaves no recipe and no operation in the database', async () => {
    const before = [await stored('bulk_items'), await stored('bulk_operations')];
    await send(body([...Array.from({ length: 2500 }, () => recipe(randomUUID())), {}]));
    expect([await stored('bulk_items'), await stored('bulk_operations')]).toEqual(before);
  });
});

describe('bulk import', () => {
  it('responds with 202 immediately; a background worker then creates the connections', async () => {
    const users = await harness.newUsers(caller, 3);
    const reply = await send(body(users.map((userId) => recipe(userId))));
    expect([reply.status, reply.body]).toEqual([202, { user_ids_imported: [], user_ids_failed: [] }]);
    expect((await operations()).data).toEqual([
      {
        type: 'link_bulk_import',
        status: 'in_progress',
        provider: 'fitbit',
        pending: 3,
        processed: 0,
        started_at: expect.any(String),
        ended_at: null,
      },
    ]);
    await harness.work();
    const connections = await listConnections(database.current, caller.team.teamId, users);
    expect(
      connections.map(({ status, application, providerUserId, grantedScopes }) => ({ status, application, providerUserId, grantedScopes })),
    ).toEqual(
      expect.arrayContaining(
        users.map((userId) => ({
          status: 'connected',
          application: 'team',
          providerUserId: `account-${userId.slice(0, 8)}`,
          grantedScopes: ['activity', 'profile'],
        })),
      ),
    );
    expect((await operations()).data[0]).toMatchObject({ status: 'success', pending: 0, processed: 3, ended_at: expect.any(String) });
    expect(harness.planned).toEqual(expect.arrayContaining(connections.map(({ connectionId }) => connectionId)));
  });

  it('responds with 200 and the imported and failed users if the request waits for completion', async () => {
    const [known = '', deleted = ''] = await harness.newUsers(caller, 2);
    await deleteUser(database.current, { clock: harness.api.clock }, caller.team.teamId, deleted);
    const [foreign = ''] = await harness.newUsers(await harness.enabledCaller(), 1);
    const unknown = randomUUID();
    const sent = send(
      body(
        [known, unknown, deleted, foreign].map((userId) => recipe(userId)),
        { wait_for_completion: true },
      ),
    );
    const reply = await workUntil(sent, () => harness.work());
    expect([reply.status, reply.body]).toEqual([200, { user_ids_imported: [known], user_ids_failed: [unknown, deleted, foreign] }]);
    expect(await itemsOf(reply)).toEqual({
      data: [
        { index: 0, user_id: known, outcome: 'imported', reason: null },
        { index: 1, user_id: unknown, outcome: 'failed', reason: 'user_not_found' },
        { index: 2, user_id: deleted, outcome: 'failed', reason: 'user_deleted' },
        { index: 3, user_id: foreign, outcome: 'failed', reason: 'user_not_found' },
      ],
      next_cursor: null,
    });
  });

  it('emits the created event of each connection once', async () => {
    const [userId = ''] = await harness.newUsers(caller, 1);
    await send(body([recipe(userId)]));
    await harness.work();
    const events = await createdEvents(userId);
    expect(events.map(({ json }) => JSON.parse(json))).toEqual([
      expect.objectContaining({
        user_id: userId,
        external_user_id: `account-${userId.slice(0, 8)}`,
        provider: expect.objectContaining({ slug: 'fitbit' }),
      }),
    ]);
  });

  it('is processed once, even by three concurrent workers', async () => {
    const users = await harness.newUsers(caller, 600);
    const reply = await send(body(users.map((userId) => recipe(userId))));
    const operationId = String(reply.headers['x-bulk-operation-id']);
    const workers = [1, 2, 3].map(() => runImport(harness.imports, operationId, new AbortController().signal));
    await Promise.all(workers);
    await harness.work();
    const [events] = await database.current.sql<{ all: number; users: number }[]>`
      SELECT count(*)::int AS all, count(DISTINCT user_id)::int AS users FROM log_events WHERE user_id = ANY(${users as string[]}::uuid[])`;
    expect({ ...events }).toEqual({ all: 600, users: 600 });
    expect((await operations()).data[0]).toMatchObject({ status: 'success', processed: 600 });
  });

  it('encrypts imported tokens, deletes those of the recipe, and returns them from custody', async () => {
    const [userId = ''] = await harness.newUsers(caller, 1);
    await send(body([recipe(userId)]));
    const texts = () =>
      database.current.sql<
        { text: string }[]
      >`SELECT i::text || encode(access_token, 'escape') AS text FROM bulk_items i WHERE user_id = ${userId}`;
    expect((await texts())[0]?.text).not.toMatch(/access-of|refresh-of/);
    await harness.work();
    const [item] = await database.current
      .sql`SELECT access_token, refresh_token, provider_user_id FROM bulk_items WHERE user_id = ${userId}`;
    expect({ ...item }).toEqual({ access_token: null, refresh_token: null, provider_user_id: null });
    const [connection] = await listConnections(database.current, caller.team.teamId, [userId]);
    const custody = { ...harness.imports, platformApplication: () => null, gate: {} as never };
    const token = await getAccessToken(custody, connection?.connectionId ?? '');
    expect(token).toEqual({ accessToken: `access-of-${userId}`, expiresAt: new Date(2_000_000_000_000), version: 1n });
  });

  it('reads the maximum expires_at as never, an empty refresh token as none, null scopes as all', async () => {
    const [userId = ''] = await harness.newUsers(caller, 1);
    await send(body([recipe(userId, { expires_at: 2_147_483_647, refresh_token: '', oauth_scopes: null })]));
    await harness.work();
    const [row] = await database.current.sql`
      SELECT t.expires_at, t.refresh_token, cardinality(c.granted_scopes) > 5 AS has_all FROM connections c JOIN connection_tokens t USING (connection_id) WHERE user_id = ${userId}`;
    expect({ ...row }).toEqual({ expires_at: null, refresh_token: null, has_all: true });
  });

  it('imports the last recipe of a user, and marks the others as replaced', async () => {
    const [userId = ''] = await harness.newUsers(caller, 1);
    const reply = await send(body([recipe(userId, { provider_id: 'first' }), recipe(userId, { provider_id: 'last' })]));
    await harness.work();
    expect((await itemsOf(reply)).data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['replaced', 'imported']);
    expect((await listConnections(database.current, caller.team.teamId, [userId]))[0]?.providerUserId).toBe('last');
    expect((await operations()).data[0]).toMatchObject({ status: 'success', processed: 2 });
  });

  it('renews an existing connection, which keeps its id and gets no second historical pull', async () => {
    const [userId = ''] = await harness.newUsers(caller, 1);
    const queued = () => database.current.sql`SELECT 1 FROM bulk_turns JOIN connections USING (connection_id) WHERE user_id = ${userId}`;
    await send(body([recipe(userId)]));
    await harness.work();
    const [before] = await listConnections(database.current, caller.team.teamId, [userId]);
    await database.current.sql`UPDATE connections SET status = 'error', error_type = 'token_refresh_failed' WHERE user_id = ${userId}`;
    await send(body([recipe(userId, { access_token: 'newer' })]));
    await harness.work();
    const [after] = await listConnections(database.current, caller.team.teamId, [userId]);
    expect([after?.connectionId, after?.status, after?.error]).toEqual([before?.connectionId, 'connected', null]);
    expect(await queued()).toHaveLength(1);
  });

  it('rejects the account of another user if the team rejects duplicates', async () => {
    await updateTeam(database.current, caller.team.teamId, { rejectDuplicateConnection: true });
    const [first = '', second = ''] = await harness.newUsers(caller, 2);
    const reply = await send(body([recipe(first, { provider_id: 'one-account' }), recipe(second, { provider_id: 'one-account' })]));
    await harness.work();
    expect((await itemsOf(reply, '?outcome=failed')).data).toEqual([
      { index: 1, user_id: second, outcome: 'failed', reason: 'duplicate_connection' },
    ]);
  });

  it('treats an empty list as a completed import', async () => {
    const reply = await send(body([], { wait_for_completion: true }));
    expect([reply.status, reply.body]).toEqual([200, { user_ids_imported: [], user_ids_failed: [] }]);
  });

  it('fails as a whole when the team’s application is deleted, and deletes the pending tokens', async () => {
    const users = await harness.newUsers(caller, 2);
    const reply = await send(body(users.map((userId) => recipe(userId))));
    await database.current.sql`DELETE FROM team_oauth_credentials WHERE team_id = ${caller.team.teamId}`;
    await harness.work();
    expect((await operations()).data[0]).toMatchObject({ status: 'failure', pending: 2 });
    const waiting = await database.current
      .sql`SELECT 1 FROM bulk_items WHERE operation_id = ${String(reply.headers['x-bulk-operation-id'])} AND access_token IS NOT NULL`;
    expect(waiting).toHaveLength(0);
  });
});
