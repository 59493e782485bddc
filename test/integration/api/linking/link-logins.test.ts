import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { createFakeLogins } from '../../connections/fake-logins.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const logins = createFakeLogins();
let harness: ApiHarness;
let caller: Caller;
let userId: string;

beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    connectors: logins.connectors,
    settings: {
      provider_strap_enabled: true,
      provider_clinic_enabled: true,
      provider_clinic_clientId: 'practice@example.test',
      provider_clinic_clientSecret: 'practice-password',
    },
  });
  caller = await harness.newCaller();
  userId = (await caller.call('POST', '/v2/user', { client_user_id: 'linker' })).body.user_id;
});
afterAll(() => harness.close());

const tokenFor = async (fields: object = {}) =>
  (await caller.call('POST', '/v2/link/token', { user_id: userId, ...fields })).body.link_token as string;
const withToken = (token: string | undefined) => (token === undefined ? {} : { 'x-service-link-token': token });
const login = (token: string | undefined, body: object = {}, provider = 'strap') =>
  caller.call('POST', `/v2/link/provider/password/${provider}`, { username: 'ann', password: 'right', ...body }, withToken(token));
const newUser = async () => (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;

describe('an account with the data of several people', () => {
  it('requires a choice, which is submitted as the code and may follow one', async () => {
    const token = await tokenFor({ user_id: await newUser() });
    const choices = [
      { value: '1', label: 'Ann Example' },
      { value: '2', label: 'Bea Example' },
    ];
    const ticket = JSON.stringify({ username: 'bob', password: 'right', region: null });
    const offer = { kind: 'mfa', method: 'choice', hint: 'Enter 1 or 2', choices, ticket, expiresInMs: 600_000 } as const;
    const submit = (code: string) =>
      caller.call('POST', '/v2/link/provider/password/strap/complete_mfa', { mfa_code: code }, withToken(token));
    expect((await login(token, { username: 'bob' })).body).toMatchObject({ provider_mfa: { method: 'sms' } });
    logins.next = offer;
    const { status, body } = await submit('123456');
    expect([status, body]).toMatchObject([
      200,
      { state: 'pending_provider_mfa', provider_mfa: { method: 'choice', hint: 'Enter 1 or 2', choices }, connected: false },
    ]);
    const [row] = await database.current.sql<
      { kept: string }[]
    >`SELECT row_to_json(s)::text AS kept FROM link_sessions s WHERE mfa_method = 'choice'`;
    expect(row?.kept).not.toMatch(/Example|Enter/);
    logins.next = { kind: 'refused', errorType: 'incorrect_mfa_code', message: 'no such person' };
    expect((await submit('9')).body).toMatchObject({ state: 'error', error_type: 'incorrect_mfa_code' });
    // The fake provider takes the account's code for the choice.
    expect((await submit('123456')).body).toMatchObject({ state: 'success', connected: true });
  });
});

describe('POST /v2/link/provider/password/{provider}', () => {
  it('returns every field of the link result, and connects the user under the user name', async () => {
    const { status, body } = await login(await tokenFor({ redirect_url: 'https://app.test/done' }));
    expect([status, body]).toEqual([
      200,
      {
        state: 'success',
        redirect_url: 'https://app.test/done',
        error_type: null,
        error: null,
        provider_mfa: null,
        provider: 'strap',
        connected: true,
        provider_id: 'ann',
      },
    ]);
    const { providers } = (await caller.call('GET', `/v2/user/providers/${userId}`)).body;
    expect(providers[0]).toMatchObject({ slug: 'strap', name: 'Strap', status: 'connected', external_user_id: 'ann' });
    expect(providers[0].resource_availability.sleep).toEqual({ status: 'available', scope_requirements: null });
    await caller.call('DELETE', `/v2/user/${userId}/strap`);
  });

  it('responds with 429 and Retry-After after ten wrong passwords for one account', async () => {
    const wrong = async () => login(await tokenFor(), { username: 'guessed', password: 'wrong' });
    for (let tries = 0; tries < 10; tries++) expect((await wrong()).status).toBe(200);
    const { status, headers, body } = await wrong();
    expect([status, body]).toEqual([429, { detail: expect.stringContaining('Too many sign-in attempts') }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(600);
  });

  it('responds with 200 for every link error', async () => {
    const token = await tokenFor();
    const typeOf = async (
      reply: Promise<{ status: number; body: { state: string; error_type: string; connected: boolean; provider_id: unknown } }>,
    ) => {
      const { status, body } = await reply;
      expect([status, body.state, body.connected, body.provider_id]).toEqual([200, 'error', false, null]);
      return body.error_type;
    };
    expect(await typeOf(login(token, { password: 'wrong' }))).toBe('provider_credential_error');
    expect(await typeOf(login(token, { region: 'tw' }))).toBe('unsupported_region');
    expect(await typeOf(login('x'))).toBe('invalid_token');
    expect(await typeOf(login(undefined))).toBe('invalid_token');
    // In the contract, but without a connector in this registry.
    expect(await typeOf(login(token, {}, 'renpho'))).toBe('provider_api_error');
    const foreign = await harness.newCaller();
    const mixed = foreign.call('POST', '/v2/link/provider/password/strap', { username: 'ann', password: 'right' }, withToken(token));
    expect(await typeOf(mixed)).toBe('invalid_token');
    await login(token);
    expect(await typeOf(login(token))).toBe('token_consumed');
    await updateTeam(database.current, caller.team.teamId, { rejectDuplicateConnection: true });
    expect(await typeOf(login(await tokenFor({ user_id: await newUser() })))).toBe('duplicate_connection');
    await updateTeam(database.current, caller.team.teamId, { rejectDuplicateConnection: false });
  });

  it('rejects missing or unknown fields with 422, and never echoes the password', async () => {
    const token = await tokenFor();
    const reply = await login(token, { username: undefined, region: 'xx', password: 'hunter2' });
    expect(reply.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type])).toEqual([
      ['username', 'missing'],
      ['region', 'enum'],
    ]);
    expect(reply.text).not.toContain('hunter2');
    expect((await login(token, {}, 'acme')).body.detail[0]).toMatchObject({ loc: ['path', 'provider'], type: 'enum' });
    const none = await harness.bare('POST', '/v2/link/provider/password/strap', { username: 'ann', password: 'right' }, withToken(token));
    expect(none.status).toBe(401);
  });

  it('requests the code and accepts it with the same token', async () => {
    const token = await tokenFor({ user_id: await newUser() });
    const bring = (code: string) =>
      caller.call('POST', '/v2/link/provider/password/strap/complete_mfa', { mfa_code: code }, withToken(token));
    const pending = (await login(token, { username: 'bob' })).body;
    expect(pending).toMatchObject({
      state: 'pending_provider_mfa',
      provider_mfa: { method: 'sms', hint: '*** *** 12' },
      connected: false,
      provider_id: null,
    });
    expect((await bring('000000')).body).toMatchObject({ state: 'error', error_type: 'incorrect_mfa_code', provider_mfa: null });
    const state = await caller.call('GET', '/v2/link/state', undefined, withToken(token));
    expect(state.body).toEqual({ state: 'pending_provider_mfa', provider: 'strap', error_type: 'incorrect_mfa_code' });
    expect((await bring('123456')).body).toMatchObject({ state: 'success', connected: true, provider: 'strap', provider_id: 'bob' });
    expect((await bring('123456')).body.error_type).toBe('token_consumed');
  });
});

describe('POST /v2/link/provider/email/{provider}', () => {
  it('stores the request, and responds with 200 for link errors too', async () => {
    const token = await tokenFor({ redirect_url: 'https://app.test/done' });
    const invite = (body: object, provider = 'clinic') =>
      caller.call('POST', `/v2/link/provider/email/${provider}`, body, withToken(token));
    expect((await invite({ email: 'ann@example.test', region: 'de' })).body).toMatchObject({
      success: false,
      state: 'error',
      error_type: 'unsupported_region',
    });
    expect((await invite({ email: 'ann@example.test' }, 'freestyle_libre')).body.state).toBe('error');
    expect((await invite({ email: 'no address' })).status).toBe(422);
    expect((await invite({ email: 'ann@example.test', provider: 'clinic', region: 'us' })).body).toEqual({
      success: true,
      state: 'success',
      redirect_url: 'https://app.test/done',
      error_type: null,
      error: null,
    });
  });
});

describe('GET /v2/link/providers and GET /v2/link/state', () => {
  it('return the linkable providers with their login forms, and the state of the token', async () => {
    const list = async (fields: object) =>
      (await caller.call('GET', '/v2/link/providers', undefined, withToken(await tokenFor(fields)))).body;
    const all = await list({});
    expect(all.map(({ slug }: { slug: string }) => slug)).toEqual(['clinic', 'fitbit', 'strap']);
    expect(all[1]).toMatchObject({ auth_type: 'oauth', oauth_url: null, form_components: null, logo: 'https://api.test/logos/fitbit.svg' });
    expect(all[2].form_components.fields.map(({ name }: { name: string }) => name)).toEqual(['username', 'password']);
    expect((await list({ filter_on_providers: ['strap'] })).map(({ slug }: { slug: string }) => slug)).toEqual(['strap']);
    const token = await tokenFor({ provider: 'fitbit' });
    const state = async (header: string | undefined) => caller.call('GET', '/v2/link/state', undefined, withToken(header));
    expect((await state(token)).body).toEqual({ state: 'open', provider: 'fitbit', error_type: null });
    await caller.call('GET', '/v2/link/provider/oauth/fitbit', undefined, withToken(token));
    expect((await state(token)).body.state).toBe('validated');
    for (const none of ['x', undefined])
      expect([(await state(none)).status, (await state(none)).body.detail.error_type]).toEqual([400, 'invalid_token']);
    const refused = await caller.call('GET', '/v2/link/providers', undefined, withToken('x'));
    expect([refused.status, refused.body.detail.error_type]).toEqual([400, 'invalid_token']);
  });

  it('omit disabled providers, which the catalogue still lists', async () => {
    const off = await createApiHarness(database.current, { connectors: logins.connectors });
    const other = await off.newCaller();
    const { user_id: id } = (await other.call('POST', '/v2/user', { client_user_id: 'x' })).body;
    const { link_token: token } = (await other.call('POST', '/v2/link/token', { user_id: id })).body;
    const listed = (await other.call('GET', '/v2/link/providers', undefined, withToken(token))).body;
    expect(listed.map(({ slug }: { slug: string }) => slug)).toEqual(['fitbit']);
    const reply = await other.call('POST', '/v2/link/provider/password/strap', { username: 'ann', password: 'right' }, withToken(token));
    expect([reply.status, reply.body.error_type]).toEqual([200, 'provider_api_error']);
    const catalogue = (await other.call('GET', '/v2/providers')).body;
    expect(catalogue.map(({ slug, auth_type }: { slug: string; auth_type: string }) => [slug, auth_type])).toContainEqual([
      'strap',
      'password',
    ]);
    await off.close();
  });
});

describe('POST /v2/link/provider/manual/{provider}', () => {
  it('connects a source without a sign-in', async () => {
    const id = await newUser();
    const connect = (provider: string, body: object) => caller.call('POST', `/v2/link/provider/manual/${provider}`, body);
    expect((await connect('apple_health_kit', { user_id: id, provider_id: 'phone-1' })).body).toEqual({ success: true });
    const { providers } = (await caller.call('GET', `/v2/user/providers/${id}`)).body;
    expect(providers).toEqual([
      expect.objectContaining({
        slug: 'apple_health_kit',
        name: 'Apple HealthKit',
        status: 'connected',
        // The health store of a phone has no account.
        external_user_id: null,
        resource_availability: {},
      }),
    ]);
    expect((await connect('fitbit', { user_id: id, provider_id: 'x' })).status).toBe(422);
    expect((await connect('manual', { user_id: randomUUID(), provider_id: 'x' })).status).toBe(404);
    expect((await connect('manual', { user_id: id })).body.detail[0]).toMatchObject({ loc: ['body', 'provider_id'], type: 'missing' });
    expect((await caller.call('DELETE', `/v2/user/${id}/apple_health_kit`)).body).toEqual({ success: true });
  });
});

describe('POST /v2/link/connect/demo', () => {
  it('generates data for a user of a sandbox team, and rejects other callers and users', async () => {
    const sandbox = await harness.newCaller({ isSandbox: true });
    const { user_id: id } = (await sandbox.call('POST', '/v2/user', { client_user_id: 'demo' })).body;
    const connect = (by: Caller, user: string, provider = 'fitbit') =>
      by.call('POST', '/v2/link/connect/demo', { user_id: user, provider });
    expect((await connect(sandbox, id)).body).toEqual({ success: true, detail: expect.any(String) });
    await expect
      .poll(async () => (await sandbox.call('GET', `/v2/summary/activity/${id}?start_date=2020-01-01`)).body.activity.length, {
        timeout: 15_000,
      })
      .toBe(31);
    expect((await connect(sandbox, id)).body.success).toBe(true);
    expect((await connect(caller, userId)).status).toBe(403);
    expect((await connect(sandbox, randomUUID())).status).toBe(404);
    expect((await connect(sandbox, id, 'strap')).status).toBe(422);
    // In the contract, but without a connector in this registry.
    expect((await connect(sandbox, id, 'oura')).status).toBe(400);
    expect((await sandbox.call('POST', '/v2/link/token', { user_id: id })).body).toEqual({
      detail: 'A demo user cannot have real connections',
    });
  });

  it('can simulate a phone: a connection with data, but not a linkable provider', async () => {
    const sandbox = await harness.newCaller({ isSandbox: true });
    const { user_id: id } = (await sandbox.call('POST', '/v2/user', { client_user_id: 'phone' })).body;
    const demo = { user_id: id, provider: 'apple_health_kit' };
    expect((await caller.call('POST', '/v2/link/connect/demo', { ...demo, user_id: userId })).status).toBe(403);
    expect((await sandbox.call('POST', '/v2/link/connect/demo', demo)).body).toEqual({ success: true, detail: expect.any(String) });
    const refreshed = (await sandbox.call('POST', `/v2/user/refresh/${id}`)).body.refreshed_sources;
    expect(refreshed.toSorted()).toEqual(['activity', 'body', 'profile', 'sleep', 'workouts'].map((name) => `apple_health_kit/${name}`));
    const { activity } = (await sandbox.call('GET', `/v2/summary/activity/${id}?start_date=2020-01-01&provider=apple_health_kit`)).body;
    expect(activity).toHaveLength(31);
    expect(activity[0]).toMatchObject({ source: { provider: 'apple_health_kit', type: 'watch' } });
    const ref = { name: 'Apple HealthKit', slug: 'apple_health_kit', logo: 'https://api.test/logos/apple_health_kit.svg' };
    const { providers } = (await sandbox.call('GET', `/v2/user/providers/${id}`)).body;
    const sleep = { status: 'available', scope_requirements: null };
    expect(providers).toMatchObject([{ ...ref, status: 'connected', external_user_id: null, resource_availability: { sleep } }]);
    expect((await sandbox.call('GET', `/v2/user/${id}`)).body.connected_sources).toMatchObject([{ provider: ref }]);
    expect((await harness.bare('GET', '/logos/apple_health_kit.svg')).status).toBe(200);
    // A contract date before the removal of the source's name still gets the name of the phone.
    await database.current.sql`UPDATE teams SET contract_date = '2024-01-01' WHERE team_id = ${sandbox.team.teamId}`;
    const events = (await sandbox.call('GET', `/v2/team/events?user_id=${id}&event_types=daily.data.sleep.created`)).body.data;
    expect(events[0].body.data.source).toMatchObject(ref);
    const manual = { user_id: id, provider_id: 'phone-1' };
    expect((await sandbox.call('POST', '/v2/link/provider/manual/apple_health_kit', manual)).body).toEqual({
      detail: 'A demo user cannot have real connections',
    });
    expect((await sandbox.call('DELETE', `/v2/user/${id}/apple_health_kit`)).body).toEqual({ success: true });
    expect((await sandbox.call('GET', `/v2/user/providers/${id}`)).body.providers).toEqual([]);
  });
});
