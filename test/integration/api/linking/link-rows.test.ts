import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;
let users = 0;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const newUser = async (): Promise<string> =>
  (await caller.call('POST', '/v2/user', { client_user_id: `row-${(users += 1)}` })).body.user_id;

describe('a provider that this installation does not support', () => {
  const text = (slug: string) => `This installation does not serve '${slug}' here; it serves '`;
  const linkable = expect.stringMatching(/'fitbit'.*'omron_ble'.* and /);

  // One in the contract without a connector, one that is not linked by OAuth, one that does not exist.
  it.each(['wahoo', 'omron', 'acme'])('%s is refused by OAuth operations with a 422 that lists the providers available', async (slug) => {
    const userId = await newUser();
    await updateTeam(database.current, caller.team.teamId, { bulkOperations: true });
    const { link_token: token } = (await caller.call('POST', '/v2/link/token', { user_id: userId })).body;
    const bulk = (name: string) => caller.call('POST', `/v2/link/${name}`, { provider: slug, user_ids: [], connections: [] });
    const replies = await Promise.all([
      caller.call('GET', `/v2/link/provider/oauth/${slug}`, undefined, { 'x-service-link-token': token }),
      ...['bulk_import', 'bulk_export', 'bulk_pause', 'bulk_trigger_historical_pull'].map(bulk),
    ]);
    for (const { status, body } of replies)
      expect([status, body.detail]).toEqual([
        422,
        [
          expect.objectContaining({
            type: 'enum',
            msg: `${text(slug)}fitbit' and 'other_band'`,
            ctx: { expected: "'fitbit' or 'other_band'" },
          }),
        ],
      ]);
  });

  it.each(['wahoo', 'acme', 'renpho'])('%s is refused as a pin and as an item of a filter, each with its own location', async (slug) => {
    const filter = ['fitbit', slug, 'manual'];
    const reply = await caller.call('POST', '/v2/link/token', { user_id: await newUser(), provider: slug, filter_on_providers: filter });
    expect([reply.status, reply.body.detail]).toEqual([
      422,
      [
        {
          type: 'enum',
          loc: ['body', 'provider'],
          msg: expect.stringContaining(text(slug)),
          input: slug,
          ctx: { expected: expect.any(String) },
        },
        expect.objectContaining({ loc: ['body', 'filter_on_providers', 1], msg: linkable }),
      ],
    ]);
  });

  it('is an error in the link result where the contract requires it, with the alternatives', async () => {
    const { link_token: token } = (await caller.call('POST', '/v2/link/token', { user_id: await newUser() })).body;
    const body = { username: 'ann', password: 'right' };
    const reply = await caller.call('POST', '/v2/link/provider/password/renpho', body, { 'x-service-link-token': token });
    expect([reply.status, reply.body]).toMatchObject([
      200,
      {
        state: 'error',
        error_type: 'provider_api_error',
        error: 'This provider is not supported by this installation. Providers linked by user name and password: none',
      },
    ]);
  });
});

describe('POST /v2/link/token', () => {
  it('accepts every supported provider as pin and filter, including sources without a sign-in', async () => {
    const userId = await newUser();
    for (const provider of ['omron_ble', 'apple_health_kit', 'manual', 'fitbit', 'other_band', null])
      expect({ provider, status: (await caller.call('POST', '/v2/link/token', { user_id: userId, provider })).status }).toEqual({
        provider,
        status: 200,
      });
    const filter = await caller.call('POST', '/v2/link/token', { user_id: userId, filter_on_providers: ['fitbit', 'omron_ble'] });
    const listed = await caller.call('GET', '/v2/link/providers', undefined, { 'x-service-link-token': filter.body.link_token });
    expect(listed.body.map(({ slug }: { slug: string }) => slug)).toEqual(['fitbit']);
    const empty = await caller.call('POST', '/v2/link/token', { user_id: userId, filter_on_providers: [] });
    expect(empty.status).toBe(422);
  });
});

describe('GET /v2/user/providers/{user_id}', () => {
  it('shows no external id for a phone’s health store, and the supplied one for a device', async () => {
    const userId = await newUser();
    for (const slug of ['apple_health_kit', 'omron_ble'])
      await caller.call('POST', `/v2/link/provider/manual/${slug}`, { user_id: userId, provider_id: 'named-by-the-team' });
    const { body } = await caller.call('GET', `/v2/user/providers/${userId}`);
    const ids = body.providers.map(({ slug, external_user_id: id }: { slug: string; external_user_id: string | null }) => [slug, id]);
    expect(Object.fromEntries(ids)).toEqual({ apple_health_kit: null, omron_ble: 'named-by-the-team' });
  });
});

describe('the OpenAPI document', () => {
  it('lists 400 where a link token may be rejected outside a link result', async () => {
    const { body } = await harness.bare('GET', '/openapi.json');
    const responsesOf = (path: string, method: string) => Object.keys(body.paths[path][method].responses);
    for (const [path, method] of [
      ['/v2/link/provider/oauth/{oauth_provider}', 'get'],
      ['/v2/link/providers', 'get'],
      ['/v2/link/state', 'get'],
      ['/v2/link/token', 'post'],
    ] as const)
      expect({ path, answers: responsesOf(path, method) }).toEqual({ path, answers: expect.arrayContaining(['200', '400', '401']) });
    const { status, body: refusal } = await caller.call('GET', '/v2/link/state', undefined, { 'x-service-link-token': 'x' });
    expect([status, refusal.detail.error_type]).toEqual([400, 'invalid_token']);
  });
});
