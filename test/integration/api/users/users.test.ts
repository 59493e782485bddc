import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, linkThroughApi, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const unique = () => `ref-${randomUUID()}`;
const create = async (fields: object = {}) => (await caller.call('POST', '/v2/user', { client_user_id: unique(), ...fields })).body;
const errorsOf = (reply: { body: { detail: { loc: unknown; type: string }[] } }) => reply.body.detail.map(({ loc, type }) => [loc, type]);

describe('POST /v2/user', () => {
  it('creates a user with every field in the object form of responses', async () => {
    const reference = unique();
    const body = {
      client_user_id: reference,
      fallback_time_zone: 'Europe/Lisbon',
      fallback_birth_date: '1990-02-01',
      ingestion_start: '2026-01-01',
      ingestion_end: null,
      unknown_key: 1,
    };
    const reply = await caller.call('POST', '/v2/user', body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      team_id: caller.team.teamId,
      client_user_id: reference,
      created_on: expect.stringMatching(/\+00:00$/),
      connected_sources: [],
      fallback_time_zone: { id: 'Europe/Lisbon', source_slug: 'manual', updated_at: expect.stringMatching(/\+00:00$/) },
      fallback_birth_date: { value: '1990-02-01', source_slug: 'manual', updated_at: expect.any(String) },
      ingestion_start: '2026-01-01',
      ingestion_end: null,
    });
  });

  it('responds with 400 and the user who has the reference, even to concurrent requests', async () => {
    const reference = unique();
    const replies = await Promise.all([1, 2].map(() => caller.call('POST', '/v2/user', { client_user_id: reference })));
    const [created, refused] = replies.toSorted((a, b) => a.status - b.status);
    expect([created?.status, refused?.status]).toEqual([200, 400]);
    expect(refused?.body.detail).toEqual({
      error_type: 'INVALID_REQUEST',
      error_message: expect.any(String),
      user_id: created?.body.user_id,
      created_on: created?.body.created_on,
    });
  });

  it('accepts the same reference in another team', async () => {
    const reference = unique();
    await caller.call('POST', '/v2/user', { client_user_id: reference });
    const other = await harness.newCaller();
    expect((await other.call('POST', '/v2/user', { client_user_id: reference })).status).toBe(200);
  });

  it('reports all invalid fields in one response, in field order', async () => {
    const reply = await caller.call('POST', '/v2/user', {
      fallback_time_zone: 'Mars/Olympus',
      fallback_birth_date: '1990-02-31',
      ingestion_start: 5,
      ingestion_end: '2026-01-01T10:00:00Z',
    });
    expect(reply.status).toBe(422);
    expect(errorsOf(reply)).toEqual([
      [['body', 'client_user_id'], 'missing'],
      [['body', 'fallback_time_zone'], 'value_error'],
      [['body', 'fallback_birth_date'], 'date_from_datetime_parsing'],
      [['body', 'ingestion_start'], 'date_type'],
      [['body', 'ingestion_end'], 'date_from_datetime_inexact'],
    ]);
    expect(reply.body.detail[0]).toMatchObject({ msg: 'Field required', input: { ingestion_start: 5 } });
    expect(reply.body.detail[1].input).toBe('Mars/Olympus');
  });

  it.each([
    ['{"client_user_id": ', 'json_invalid'],
    ['[]', 'model_attributes_type'],
    ['"text"', 'model_attributes_type'],
    [undefined, 'missing'],
  ])('rejects the body %s as %s', async (body, type) => {
    const reply = await caller.call('POST', '/v2/user', body);
    expect([reply.status, reply.body.detail[0].type, reply.body.detail[0].loc[0]]).toEqual([422, type, 'body']);
  });

  it.each([
    ['', 'string_too_short', { min_length: 1 }],
    ['x'.repeat(513), 'string_too_long', { max_length: 512 }],
    [7, 'string_type', undefined],
    [null, 'string_type', undefined],
    ['a\u0000b', 'value_error', undefined],
  ])('rejects the reference %j', async (reference, type, ctx) => {
    const reply = await caller.call('POST', '/v2/user', { client_user_id: reference });
    expect([reply.status, reply.body.detail[0].type, reply.body.detail[0].ctx]).toEqual([422, type, ctx]);
  });

  it('limits a sandbox team to 50 live users, concurrent creations and undos included', async () => {
    const sandbox = await harness.newCaller({ isSandbox: true });
    const made = [];
    for (let i = 0; i < 49; i++) made.push((await sandbox.call('POST', '/v2/user', { client_user_id: unique() })).body.user_id);
    const last = await Promise.all([1, 2, 3].map(() => sandbox.call('POST', '/v2/user', { client_user_id: unique() })));
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    // Not a reference conflict, so the body has the general error shape.
    expect(last.find(({ status }) => status === 400)?.body).toEqual({
      detail: { error_type: 'INVALID_REQUEST', error_message: expect.stringMatching(/limit of 50 users .*SANDBOX_USERS_MAX/) },
    });
    await sandbox.call('DELETE', `/v2/user/${made[0]}`);
    expect((await sandbox.call('POST', '/v2/user', { client_user_id: unique() })).status).toBe(200);
    const undone = await sandbox.call('POST', `/v2/user/undo_delete?user_id=${made[0]}`);
    expect([undone.status, undone.body.detail.error_type]).toEqual([400, 'INVALID_REQUEST']);
    await sandbox.call('DELETE', `/v2/user/${made[1]}`);
    expect((await sandbox.call('POST', `/v2/user/undo_delete?user_id=${made[0]}`)).status).toBe(200);
  });
});

describe('the portal for demographics', () => {
  const paths = ['create_portal_url'];
  const ask = (path: string, userId: string, body: unknown = { context: 'launch' }) =>
    caller.call('POST', `/v2/user/${userId}/${path}`, body);

  it.each(paths)('%s is a documented 501 for a user of the team, a 404 for others, a 401 without a key', async (path) => {
    const { user_id: userId } = await create();
    const reply = await ask(path, userId);
    expect([reply.status, reply.body]).toEqual([501, { detail: expect.any(String) }]);
    expect((await ask(path, randomUUID())).status).toBe(404);
    await caller.call('DELETE', `/v2/user/${userId}`);
    expect((await ask(path, userId)).status).toBe(404);
    expect((await harness.bare('POST', `/v2/user/${userId}/${path}`, {})).status).toBe(401);
    const document = (await harness.bare('GET', '/openapi.json')).body;
    expect(Object.keys(document.paths[`/v2/user/{user_id}/${path}`].post.responses)).toEqual(expect.arrayContaining(['401', '404', '501']));
  });

  it('still validate the body', async () => {
    const reply = await ask('create_portal_url', randomUUID(), { context: 'email', order_id: 'x' });
    expect([reply.status, errorsOf(reply)]).toEqual([
      422,
      [
        [['body', 'context'], 'enum'],
        [['body', 'order_id'], 'uuid_parsing'],
      ],
    ]);
  });
});

describe('reading users', () => {
  it('finds a user by id, in any case, and by its percent-encoded reference', async () => {
    const reference = `a/b c?${unique()}`;
    const { user_id: userId } = await create({ client_user_id: reference });
    expect((await caller.call('GET', `/v2/user/${userId.toUpperCase()}`)).body.client_user_id).toBe(reference);
    expect((await caller.call('GET', `/v2/user/resolve/${encodeURIComponent(reference)}`)).body.user_id).toBe(userId);
  });

  it('responds with 404 for an unknown id or reference, 422 for a malformed id', async () => {
    expect((await caller.call('GET', `/v2/user/${randomUUID()}`)).body).toEqual({ detail: 'User not found' });
    expect((await caller.call('GET', '/v2/user/resolve/nobody')).status).toBe(404);
    const reply = await caller.call('GET', '/v2/user/not-a-uuid');
    expect([reply.status, errorsOf(reply)]).toEqual([422, [[['path', 'user_id'], 'uuid_parsing']]]);
  });

  it('lists newest first, in pages, each with the total', async () => {
    const own = await harness.newCaller();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      harness.clock.advance(10);
      ids.unshift((await own.call('POST', '/v2/user', { client_user_id: unique() })).body.user_id);
    }
    const page = await own.call('GET', '/v2/user?offset=1&limit=2');
    expect(page.body.users.map((user: { user_id: string }) => user.user_id)).toEqual(ids.slice(1, 3));
    expect(page.body).toMatchObject({ total: 5, offset: 1, limit: 2 });
    expect((await own.call('GET', '/v2/user?offset=99')).body).toMatchObject({ users: [], total: 5, limit: 100 });
    expect((await own.call('GET', '/v2/user?limit=0')).body).toMatchObject({ users: [], limit: 0 });
  });

  it('reports all out-of-range page parameters in one response', async () => {
    const reply = await caller.call('GET', '/v2/user?offset=-1&limit=501');
    expect([reply.status, errorsOf(reply)]).toEqual([
      422,
      [
        [['query', 'offset'], 'greater_than_equal'],
        [['query', 'limit'], 'less_than_equal'],
      ],
    ]);
    expect(errorsOf(await caller.call('GET', '/v2/user?limit=ten'))).toEqual([[['query', 'limit'], 'int_parsing']]);
  });

  it('searches by prefix of id and reference, and treats wildcards literally', async () => {
    const mark = randomUUID().slice(0, 13);
    const { user_id: userId } = await create({ client_user_id: `${mark}%_x` });
    const search = async (text: string) =>
      (await caller.call('GET', `/v2/team/users/search?query_id=${encodeURIComponent(text)}`)).body.map(
        (user: { user_id: string }) => user.user_id,
      );
    expect(await search(mark)).toEqual([userId]);
    expect(await search(`${mark}%_`)).toEqual([userId]);
    expect(await search(`${mark}__`)).toEqual([]);
    expect(await search(userId.slice(0, 15))).toContain(userId);
    expect((await caller.call('GET', '/v2/team/users/search?query_id=x')).body.detail[0].type).toBe('string_too_short');
    expect((await caller.call('GET', '/v2/team/users/search')).body.detail[0].type).toBe('missing');
  });

  it('counts only users and connections of the team', async () => {
    const own = await harness.newCaller();
    const { user_id: userId } = (await own.call('POST', '/v2/user', { client_user_id: unique() })).body;
    await linkThroughApi(harness, own, userId);
    const metrics = (await own.call('GET', '/v2/user/metrics')).body;
    expect(metrics).toMatchObject({
      team_id: own.team.teamId,
      number_of_users: 1,
      number_of_connected_sources: 1,
      number_of_errored_connected_sources: 0,
      number_of_ordered_tests: 0,
    });
    expect(metrics.number_of_connected_sources_by_week).toHaveLength(12);
    expect(metrics.number_of_connected_sources_by_week.at(-1)).toMatchObject({ value: 1, all: 1 });
    expect(metrics.number_of_connected_sources_by_week.at(-2)).toMatchObject({ value: 0, all: 0 });
  });
});

describe('PATCH /v2/user/{user_id}', () => {
  it('changes only the fields present, clears those that are null, and responds with a detail', async () => {
    const user = await create({ fallback_time_zone: 'Europe/Lisbon', ingestion_start: '2026-01-01' });
    const reference = unique();
    const reply = await caller.call('PATCH', `/v2/user/${user.user_id}`, {
      fallback_time_zone: null,
      fallback_birth_date: '1980-05-05',
      client_user_id: reference,
    });
    expect([reply.status, reply.body]).toEqual([200, { detail: expect.any(String) }]);
    const after = (await caller.call('GET', `/v2/user/${user.user_id}`)).body;
    expect(after).toMatchObject({
      client_user_id: reference,
      fallback_time_zone: null,
      fallback_birth_date: { value: '1980-05-05', source_slug: 'manual' },
      ingestion_start: '2026-01-01',
    });
  });

  it('keeps the reference when it is null, and rejects an empty patch with 400', async () => {
    const user = await create();
    expect((await caller.call('PATCH', `/v2/user/${user.user_id}`, { client_user_id: null })).status).toBe(200);
    expect((await caller.call('GET', `/v2/user/${user.user_id}`)).body.client_user_id).toBe(user.client_user_id);
    expect((await caller.call('PATCH', `/v2/user/${user.user_id}`, { unknown: 1 })).status).toBe(400);
    expect((await caller.call('PATCH', `/v2/user/${user.user_id}`, {})).status).toBe(400);
  });

  it('responds with 409 to a reference in use, 404 to an unknown user, 422 to invalid fields', async () => {
    const [first, second] = [await create(), await create()];
    expect((await caller.call('PATCH', `/v2/user/${second.user_id}`, { client_user_id: first.client_user_id })).status).toBe(409);
    expect((await caller.call('PATCH', `/v2/user/${second.user_id}`, { client_user_id: second.client_user_id })).status).toBe(200);
    expect((await caller.call('PATCH', `/v2/user/${randomUUID()}`, { ingestion_end: null })).status).toBe(404);
    const reply = await caller.call('PATCH', '/v2/user/nope', { fallback_time_zone: 'CETX', ingestion_end: 'soon' });
    expect(errorsOf(reply)).toEqual([
      [['path', 'user_id'], 'uuid_parsing'],
      [['body', 'fallback_time_zone'], 'value_error'],
      [['body', 'ingestion_end'], 'date_from_datetime_parsing'],
    ]);
  });
});
