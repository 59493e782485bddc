import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, sleep } from '@pulsewire/kernel';
import {
  completeOAuthLink,
  createLinkSession,
  createUser,
  listConnections,
  putMustGrantScopes,
  putOAuthCredential,
  processDeregistrations,
  startOAuthLink,
  updateTeam,
} from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
let harness: Harness;

beforeAll(async () => {
  harness = await createHarness(database.current);
});

beforeEach(() => {
  harness.provider.beforeResponse = async () => {};
  harness.provider.profileFails = false;
  harness.provider.hasShutDown = false;
});

const callback = (token: string | undefined, code: string | undefined, error?: string) =>
  completeOAuthLink(harness.context, { provider: 'fitbit', state: token, code, error, traceId: null });

const createdEvents = (userId: string) =>
  database.current.sql<
    { json: string }[]
  >`SELECT json FROM log_events WHERE event_type = 'provider.connection.created' AND user_id = ${userId}`;

describe('an OAuth link', () => {
  it('stores the connection, emits its event and calls the planner in one transaction', async () => {
    const user = await harness.newUser();
    const planned: string[] = [];
    const context = {
      ...harness.context,
      onConnected: async (_tx: unknown, connection: { connectionId: string }) => void planned.push(connection.connectionId),
    };
    const { token, code } = await harness.prepareLink(user, 'ACC1');
    const outcome = await completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
    expect(outcome).toMatchObject({ state: 'success', redirectUrl: 'https://app.test/done' });
    const [connection] = await listConnections(database.current, user.teamId, [user.userId]);
    expect(connection).toMatchObject({
      provider: 'fitbit',
      providerUserId: 'ACC1',
      status: 'connected',
      account: { time_zone: 'Europe/Lisbon' },
    });
    expect(connection?.deniedScopes).toContain('nutrition');
    expect(planned).toEqual([connection?.connectionId]);
    const [event] = await createdEvents(user.userId);
    const data = JSON.parse(event?.json ?? '') as { resource_availability: Record<string, { status: string }> };
    expect(data).toMatchObject({ user_id: user.userId, external_user_id: 'ACC1', provider: { slug: 'fitbit' } });
    expect(data.resource_availability['meal']?.status).toBe('unavailable');
    expect(data.resource_availability['sleep']?.status).toBe('available');
  });

  it('leaves nothing behind when the planner fails', async () => {
    const user = await harness.newUser();
    const { token, code } = await harness.prepareLink(user);
    const context = { ...harness.context, onConnected: () => Promise.reject(new Error('no plan')) };
    await expect(completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null })).rejects.toThrow(
      'no plan',
    );
    expect(await listConnections(database.current, user.teamId, [user.userId])).toEqual([]);
    expect(await createdEvents(user.userId)).toHaveLength(0);
  });

  it('creates one connection from concurrent callbacks', async () => {
    const user = await harness.newUser();
    const { token, code } = await harness.prepareLink(user);
    harness.provider.beforeResponse = () => new Promise((resolve) => setTimeout(resolve, 30));
    const outcomes = await Promise.all([callback(token, code), callback(token, code), callback(token, code)]);
    expect(outcomes.map((outcome) => (outcome.state === 'error' ? outcome.errorType : outcome.state)).toSorted()).toEqual([
      'success',
      'token_consumed',
      'token_consumed',
    ]);
    expect(await createdEvents(user.userId)).toHaveLength(1);
  });

  it('rejects a consumed token, and one that was not started', async () => {
    const user = await harness.newUser();
    const { token, code } = await harness.prepareLink(user);
    await callback(token, code);
    expect(await callback(token, code)).toMatchObject({ errorType: 'token_consumed', redirectUrl: 'https://app.test/done' });
    const fresh = { userId: user.userId, provider: null, redirectUrl: null, filterOnProviders: null, onError: null, onClose: null };
    const { linkToken } = await createLinkSession(harness.context, user.teamId, fresh);
    expect(await callback(linkToken, 'any')).toMatchObject({ errorType: 'token_not_validated' });
  });

  it('rejects a forged, foreign or missing state without a redirect', async () => {
    const user = await harness.newUser();
    const { token, code } = await harness.prepareLink(user);
    const [head, body] = token.split('.');
    const payload = JSON.parse(Buffer.from(body ?? '', 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...payload, user_id: harness.team.teamId })).toString('base64url');
    const noAlgorithm = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const state of [undefined, 'x', `${head}.${other}.${token.split('.')[2]}`, `${noAlgorithm}.${body}.`]) {
      expect(await callback(state, code)).toMatchObject({ errorType: 'invalid_token', redirectUrl: null });
    }
  });

  it('rejects a token after 60 minutes, but still redirects the browser', async () => {
    const clock = createManualClock(new Date());
    const late = await createHarness(database.current, { clock });
    const { token, code } = await late.prepareLink(await late.newUser());
    clock.advance(60 * 60_000 + 1000);
    const outcome = await completeOAuthLink(late.context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
    expect(outcome).toMatchObject({ errorType: 'token_expired', redirectUrl: 'https://app.test/done' });
  });

  it('does not consume the token on failure: the user may try again with it', async () => {
    const user = await harness.newUser();
    const { token } = await harness.prepareLink(user);
    expect(await callback(token, 'wrong-code')).toMatchObject({ errorType: 'provider_credential_error' });
    expect(await callback(token, undefined, 'access_denied')).toMatchObject({ errorType: 'user_cancelled' });
    expect(await callback(token, undefined, 'server_error<script>')).toMatchObject({
      errorType: 'provider_credential_error',
      error: expect.not.stringContaining('<'),
    });
    const { oauthUrl } = await startOAuthLink(harness.context, { token, provider: 'fitbit', teamId: user.teamId });
    expect(await callback(token, harness.provider.agree(oauthUrl, { account: 'AGAIN' }))).toMatchObject({ state: 'success' });
  });

  it.each(['invalid_scope', 'unauthorized_client'])('blames the operator, not the user, for %s at the consent page', async (word) => {
    const { token } = await harness.prepareLink(await harness.newUser());
    const outcome = await callback(token, undefined, word);
    expect(outcome).toMatchObject({ state: 'error', errorType: 'provider_api_error' });
    expect(outcome).toMatchObject({ error: "The provider refuses the operator's application, not the user" });
  });

  it('distinguishes an outage of the provider from a rejection', async () => {
    const user = await harness.newUser();
    const { token, code } = await harness.prepareLink(user);
    const context = {
      ...harness.context,
      gate: { ...harness.context.gate, exchangeCode: () => Promise.reject(Object.assign(new Error('late'), { name: 'TimeoutError' })) },
    };
    const outcome = await completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
    expect(outcome).toMatchObject({ errorType: 'provider_api_error' });
  });

  it('says that the provider has shut down', async () => {
    const { token, code } = await harness.prepareLink(await harness.newUser());
    harness.provider.hasShutDown = true;
    const error = expect.stringContaining('has shut this interface down') as string;
    expect(await callback(token, code)).toMatchObject({ state: 'error', errorType: 'provider_api_error', error });
  });

  it('links when the account cannot be read but the token response names it', async () => {
    const user = await harness.newUser();
    const { token, code } = await harness.prepareLink(user, 'NOPROFILE');
    harness.provider.profileFails = true;
    expect(await callback(token, code)).toMatchObject({ state: 'success' });
    expect((await listConnections(database.current, user.teamId, [user.userId]))[0]?.providerUserId).toBe('NOPROFILE');
  });

  it('rejects a link without a scope that the team requires, and revokes the consent', async () => {
    const strict = await createHarness(database.current);
    await putMustGrantScopes(database.current, strict.team.teamId, 'fitbit', ['sleep', 'nutrition']);
    const { token, code } = await strict.prepareLink(await strict.newUser());
    const outcome = await completeOAuthLink(strict.context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
    expect(outcome).toMatchObject({ errorType: 'required_scopes_not_granted', error: expect.stringContaining('nutrition') });
    await processDeregistrations(strict.context, { limit: 10, signal: AbortSignal.timeout(5000) });
    expect(strict.provider.revoked).toHaveLength(1);
  });

  it('revokes the consent when storing fails', async () => {
    const other = await createHarness(database.current, { onConnected: () => Promise.reject(new Error('no plan')) });
    await expect(other.link(await other.newUser())).rejects.toThrow('no plan');
    await processDeregistrations(other.context, { limit: 10, signal: AbortSignal.timeout(5000) });
    expect(other.provider.revoked).toHaveLength(1);
  });

  it('revokes the consent when the account cannot be fetched', async () => {
    const other = await createHarness(database.current);
    const { gate } = other.context;
    const exchangeCode: typeof gate.exchangeCode = async (call) => ({ ...(await gate.exchangeCode(call)), providerUserId: null });
    other.provider.profileFails = true;
    const { token, code } = await other.prepareLink(await other.newUser());
    const context = { ...other.context, gate: { ...gate, exchangeCode } };
    const outcome = await completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
    expect(outcome).toMatchObject({ state: 'error' });
    other.provider.profileFails = false;
    await processDeregistrations(other.context, { limit: 10, signal: AbortSignal.timeout(5000) });
    expect(other.provider.revoked).toHaveLength(1);
  });

  it('keeps the consent of another user’s connection when the second link is rejected', async () => {
    const strict = await createHarness(database.current);
    await updateTeam(database.current, strict.team.teamId, { rejectDuplicateConnection: true });
    await strict.link(await strict.newUser(), 'KEPT');
    await expect(strict.link(await strict.newUser(), 'KEPT')).rejects.toThrow('duplicate_connection');
    await processDeregistrations(strict.context, { limit: 10, signal: AbortSignal.timeout(5000) });
    expect(strict.provider.revoked).toEqual([]);
  });

  it("rejects another user's account only if the team is configured to, even concurrently", async () => {
    const strict = await createHarness(database.current);
    await strict.link(await strict.newUser(), 'SHARED');
    await strict.link(await strict.newUser(), 'SHARED');
    await updateTeam(database.current, strict.team.teamId, { rejectDuplicateConnection: true });
    await expect(strict.link(await strict.newUser(), 'SHARED')).rejects.toThrow('duplicate_connection');
    // Each transaction waits here for the other, up to 150 ms. Without a lock, both would get here and succeed.
    let inside = 0;
    const both = Promise.withResolvers<void>();
    const onConnected = async () => {
      inside += 1;
      if (inside === 2) both.resolve();
      await Promise.race([both.promise, sleep(150)]);
    };
    const raced = await Promise.all([1, 2].map(async () => strict.prepareLink(await strict.newUser(), 'RACED')));
    const results = await Promise.all(
      raced.map(({ token, code }) =>
        completeOAuthLink({ ...strict.context, onConnected }, { provider: 'fitbit', state: token, code, error: undefined, traceId: null }),
      ),
    );
    expect(results.map(({ state }) => state).toSorted()).toEqual(['error', 'success']);
  });

  it('restores a failed connection when the user links again', async () => {
    const user = await harness.newUser();
    const first = await harness.link(user);
    await database.current
      .sql`UPDATE connections SET status = 'error', error_type = 'unknown', errored_at = now() WHERE connection_id = ${first}`;
    expect(await harness.link(user)).toBe(first);
    const [connection] = await listConnections(database.current, user.teamId, [user.userId]);
    expect(connection).toMatchObject({ status: 'connected', error: null });
  });

  it("uses the team's own application and its address before the platform's", async () => {
    const own = await createHarness(database.current);
    const credential = {
      teamId: own.team.teamId,
      provider: 'fitbit',
      clientId: 'own-id',
      clientSecret: 'own-secret',
      redirectUrlOverride: 'https://own.test/back',
    };
    await putOAuthCredential(database.current, own.context, credential);
    const user = await own.newUser();
    const session = { userId: user.userId, provider: 'fitbit', redirectUrl: null, filterOnProviders: null, onError: null, onClose: null };
    const { linkToken } = await createLinkSession(own.context, user.teamId, session);
    const { oauthUrl } = await startOAuthLink(own.context, { token: linkToken, provider: 'fitbit', teamId: user.teamId });
    const query = new URL(oauthUrl).searchParams;
    expect([query.get('client_id'), query.get('redirect_uri'), query.get('state')]).toEqual(['own-id', 'https://own.test/back', linkToken]);
    expect(query.get('code_challenge_method')).toBe('S256');
  });

  it('does not link a user of another team', async () => {
    const other = await createHarness(database.current);
    const { token } = await harness.prepareLink(await harness.newUser());
    await expect(startOAuthLink(harness.context, { token, provider: 'fitbit', teamId: other.team.teamId })).rejects.toMatchObject({
      details: { errorType: 'invalid_token' },
    });
  });

  it('ends with invalid_token and revokes the consent when the user was deleted in the meantime', async () => {
    const user = await createUser(
      database.current,
      harness.team,
      { clientUserId: 'gone' },
      { clock: harness.context.clock, sandboxUsersMax: 50 },
    );
    const { token, code } = await harness.prepareLink(user);
    await database.current.sql`UPDATE users SET deleted_at = now() WHERE user_id = ${user.userId}`;
    expect(await callback(token, code)).toMatchObject({ errorType: 'invalid_token' });
    const before = harness.provider.revoked.length;
    await processDeregistrations(harness.context, { limit: 10, signal: AbortSignal.timeout(5000) });
    expect(harness.provider.revoked.length - before).toBe(1);
  });
});
