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

describe('GET /v2/user/providers/{user_id}', () => {
  it('shows connections with the resources that their granted scopes allow', async () => {
    const user = await create();
    await linkThroughApi(harness, caller, user.user_id, 'ABC123', ['activity', 'profile']);
    const { providers } = (await caller.call('GET', `/v2/user/providers/${user.user_id}`)).body;
    expect(providers).toHaveLength(1);
    expect(providers[0]).toMatchObject({
      name: 'Fitbit',
      slug: 'fitbit',
      status: 'connected',
      external_user_id: 'ABC123',
      error_details: null,
    });
    expect(providers[0].resource_availability.activity).toEqual({
      status: 'available',
      scope_requirements: {
        user_granted: { required: ['activity'], optional: [] },
        user_denied: { required: [], optional: ['heartrate'] },
      },
    });
    expect(providers[0].resource_availability.sleep.status).toBe('unavailable');
    expect((await caller.call('GET', `/v2/user/${user.user_id}`)).body.connected_sources[0]).toMatchObject({
      provider: { slug: 'fitbit' },
      source: { slug: 'fitbit' },
    });
  });

  it('shows why a connection stopped', async () => {
    const user = await create();
    await linkThroughApi(harness, caller, user.user_id);
    await database.current
      .sql`UPDATE connections SET status = 'error', error_type = 'token_refresh_failed', error_message = 'It ended', errored_at = now() WHERE user_id = ${user.user_id}`;
    const { providers } = (await caller.call('GET', `/v2/user/providers/${user.user_id}`)).body;
    expect(providers[0]).toMatchObject({
      status: 'error',
      error_details: { error_type: 'token_refresh_failed', error_message: 'It ended', errored_at: expect.stringMatching(/\+00:00$/) },
    });
  });

  it('is empty without connections, and a 404 for an unknown user', async () => {
    const user = await create();
    expect((await caller.call('GET', `/v2/user/providers/${user.user_id}`)).body).toEqual({ providers: [] });
    expect((await caller.call('GET', `/v2/user/providers/${randomUUID()}`)).status).toBe(404);
  });
});

describe('DELETE /v2/user/{user_id}/{provider}', () => {
  it('deletes the connection and its plan, revokes the consent, and is then a 404', async () => {
    const user = await create();
    await linkThroughApi(harness, caller, user.user_id);
    const [revoked, dropped] = [harness.provider.revoked.length, harness.dropped.length];
    expect((await caller.call('DELETE', `/v2/user/${user.user_id}/fitbit`)).body).toEqual({ success: true });
    expect((await caller.call('GET', `/v2/user/providers/${user.user_id}`)).body.providers).toEqual([]);
    expect(harness.dropped.length).toBe(dropped + 1);
    await expect.poll(() => harness.provider.revoked.length).toBe(revoked + 1);
    expect((await caller.call('DELETE', `/v2/user/${user.user_id}/fitbit`)).status).toBe(404);
    expect((await caller.call('DELETE', `/v2/user/${randomUUID()}/fitbit`)).status).toBe(404);
  });
});

describe('DELETE /v2/user/{user_id} and undo_delete', () => {
  it('hides the user at once, frees the reference, and reports the scheduled deletion', async () => {
    const user = await create();
    await linkThroughApi(harness, caller, user.user_id);
    expect((await caller.call('DELETE', `/v2/user/${user.user_id}`)).body).toEqual({ success: true });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', ''],
    ] as const) {
      const reply = await caller.call(method, `/v2/user/${user.user_id}${path}`, method === 'PATCH' ? { ingestion_end: null } : undefined);
      expect([reply.status, reply.body.detail]).toEqual([404, 'This user is scheduled for deletion']);
    }
    expect(await database.current.sql`SELECT 1 FROM connections WHERE user_id = ${user.user_id}`).toHaveLength(0);
    expect((await caller.call('POST', '/v2/user', { client_user_id: user.client_user_id })).status).toBe(200);
  });

  it('is undone by id or reference within seven days, without the connections', async () => {
    for (const key of ['user_id', 'client_user_id'] as const) {
      const user = await create();
      await linkThroughApi(harness, caller, user.user_id);
      await caller.call('DELETE', `/v2/user/${user.user_id}`);
      expect((await caller.call('POST', `/v2/user/undo_delete?${key}=${user[key]}`)).body).toEqual({ success: true });
      expect((await caller.call('GET', `/v2/user/${user.user_id}`)).body.connected_sources).toEqual([]);
    }
  });

  it('cannot be undone for an active user, a reference in use again, or after seven days', async () => {
    const user = await create();
    expect((await caller.call('POST', `/v2/user/undo_delete?user_id=${user.user_id}`)).status).toBe(400);
    await caller.call('DELETE', `/v2/user/${user.user_id}`);
    await caller.call('POST', '/v2/user', { client_user_id: user.client_user_id });
    expect((await caller.call('POST', `/v2/user/undo_delete?user_id=${user.user_id}`)).status).toBe(400);
    expect((await caller.call('POST', `/v2/user/undo_delete?client_user_id=${user.client_user_id}`)).status).toBe(400);
    const late = await create();
    await caller.call('DELETE', `/v2/user/${late.user_id}`);
    harness.clock.advance(7 * 86_400_000);
    expect((await caller.call('POST', `/v2/user/undo_delete?user_id=${late.user_id}`)).status).toBe(400);
  });

  it('requires exactly one of the two parameters to undo', async () => {
    for (const query of ['', `?user_id=${randomUUID()}&client_user_id=x`]) {
      const reply = await caller.call('POST', `/v2/user/undo_delete${query}`);
      expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['query']]);
    }
    expect((await caller.call('POST', `/v2/user/undo_delete?user_id=${randomUUID()}`)).status).toBe(404);
  });
});
