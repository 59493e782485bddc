import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createApiStage, type ApiStage, type Caller } from './setup.ts';

const database = useDatabase();
let stage: ApiStage;
let caller: Caller;
let users = 0;

beforeAll(async () => {
  stage = await createApiStage(database.current);
  caller = await stage.newCaller();
});
afterAll(() => stage.close());

const newUser = async (): Promise<string> =>
  (await caller.call('POST', '/v2/user', { client_user_id: `row-${(users += 1)}` })).body.user_id;

describe('POST /v2/link/token', () => {
  it('takes every provider of the interface, also those that are not served here, and refuses any other', async () => {
    const userId = await newUser();
    for (const provider of ['omron_ble', 'apple_health_kit', 'peloton', 'map_my_fitness', 'fitbit', 'other_band'])
      expect({ provider, status: (await caller.call('POST', '/v2/link/token', { user_id: userId, provider })).status }).toEqual({
        provider,
        status: 200,
      });
    const filter = await caller.call('POST', '/v2/link/token', { user_id: userId, filter_on_providers: ['fitbit', 'peloton'] });
    expect(filter.status).toBe(200);
    const listed = await caller.call('GET', '/v2/link/providers', undefined, { 'x-service-link-token': filter.body.link_token });
    expect(listed.body.map(({ slug }: { slug: string }) => slug)).toEqual(['fitbit']);
    for (const bad of [{ provider: 'nowhere' }, { filter_on_providers: ['nowhere'] }, { filter_on_providers: [] }])
      expect((await caller.call('POST', '/v2/link/token', { user_id: userId, ...bad })).status).toBe(422);
  });
});

describe('GET /v2/user/providers/{user_id}', () => {
  it('gives no external id for the health store of a phone, and the given one for a device', async () => {
    const userId = await newUser();
    for (const slug of ['apple_health_kit', 'omron_ble'])
      await caller.call('POST', `/v2/link/provider/manual/${slug}`, { user_id: userId, provider_id: 'named-by-the-team' });
    const { body } = await caller.call('GET', `/v2/user/providers/${userId}`);
    const ids = body.providers.map(({ slug, external_user_id: id }: { slug: string; external_user_id: string | null }) => [slug, id]);
    expect(Object.fromEntries(ids)).toEqual({ apple_health_kit: null, omron_ble: 'named-by-the-team' });
  });
});

describe('the OpenAPI document', () => {
  it('names 400 where a link token may be refused outside of a link result', async () => {
    const { body } = await stage.bare('GET', '/openapi.json');
    const answersOf = (path: string, method: string) => Object.keys(body.paths[path][method].responses);
    for (const [path, method] of [
      ['/v2/link/provider/oauth/{oauth_provider}', 'get'],
      ['/v2/link/providers', 'get'],
      ['/v2/link/state', 'get'],
      ['/v2/link/token', 'post'],
    ] as const)
      expect({ path, answers: answersOf(path, method) }).toEqual({ path, answers: expect.arrayContaining(['200', '400', '401']) });
    const { status, body: refusal } = await caller.call('GET', '/v2/link/state', undefined, { 'x-service-link-token': 'x' });
    expect([status, refusal.detail.error_type]).toEqual([400, 'invalid_token']);
  });
});
