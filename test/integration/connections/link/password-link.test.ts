import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import {
  completeMfa,
  forgetLinkSessions,
  getAccessToken,
  linkWithPassword,
  listConnections,
  readLinkState,
  startOAuthLink,
  updateTeam,
  type LinkOutcome,
} from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { providerDown, refusedLogin } from '../fake-logins.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date());
let harness: Harness;

beforeAll(async () => {
  harness = await createHarness(database.current, { clock });
});
beforeEach(() => {
  harness.logins.next = null;
  harness.logins.beforeResponse = async () => {};
});

interface Login {
  readonly provider?: string;
  readonly username?: string;
  readonly password?: string;
  readonly region?: string | null;
}

function login(token: string | undefined, fields: Login = {}, on = harness): Promise<LinkOutcome> {
  const typed = { provider: 'strap', username: 'ann', password: 'right', region: null, ...fields };
  return linkWithPassword(on.context, { token, teamId: null, traceId: null, ...typed });
}
const bring = (token: string, code: string, provider = 'strap') =>
  completeMfa(harness.context, { token, teamId: null, traceId: null, provider, code });
const kindOf = (outcome: LinkOutcome) => (outcome.state === 'error' ? outcome.errorType : outcome.state);
const stateOf = async (token: string) => readLinkState(harness.context, { token, teamId: null });
const connectionsOf = async (userId: string, teamId = harness.team.teamId) => listConnections(database.current, teamId, [userId]);
const eventsOf = (userId: string, type: string) =>
  database.current.sql<{ json: string }[]>`SELECT json FROM log_events WHERE user_id = ${userId} AND event_type = ${type}`;
const overlap = () => new Promise<void>((resolve) => setTimeout(resolve, 30));

describe('a link with user name and password', () => {
  it('creates the connection under the user name, encrypts the password, and consumes the token', async () => {
    const user = await harness.newUser();
    const token = await harness.newToken(user, { redirectUrl: 'https://app.test/done' });
    expect(await login(token, { region: 'eu' })).toMatchObject({ state: 'success', redirectUrl: 'https://app.test/done' });
    const [connection] = await connectionsOf(user.userId);
    expect(connection).toMatchObject({ provider: 'strap', externalUserId: 'ann', providerUserId: 'id-of-ann', account: { region: 'eu' } });
    const rows = await database.current.sql<{ access_token: Buffer; refresh_token: Buffer }[]>`
      SELECT access_token, refresh_token FROM connection_tokens WHERE connection_id = ${connection?.connectionId ?? ''}`;
    expect(Buffer.concat(rows.flatMap((row) => [row.access_token, row.refresh_token])).toString('latin1')).not.toMatch(/right|ann/);
    const [event] = await eventsOf(user.userId, 'provider.connection.created');
    expect(JSON.parse(event?.json ?? '')).toMatchObject({
      external_user_id: 'ann',
      resource_availability: { sleep: { status: 'available', scope_requirements: null } },
    });
    expect(kindOf(await login(token))).toBe('token_consumed');
    expect(await stateOf(token)).toEqual({ state: 'success', provider: 'strap', errorType: null });
  });

  it('reports every rejection by its type and leaves the token usable', async () => {
    const user = await harness.newUser();
    const token = await harness.newToken(user);
    expect(kindOf(await login(token, { password: 'wrong' }))).toBe('provider_credential_error');
    expect(await stateOf(token)).toMatchObject({ state: 'error', errorType: 'provider_credential_error' });
    expect(kindOf(await login(token, { region: 'tw' }))).toBe('unsupported_region');
    for (const [next, type] of [
      [refusedLogin('provider_password_expired'), 'provider_password_expired'],
      [refusedLogin('provider_api_error'), 'provider_api_error'],
      [providerDown(), 'provider_api_error'],
      [Object.assign(new Error('late'), { name: 'TimeoutError' }), 'provider_api_error'],
    ] as const) {
      harness.logins.next = next;
      expect(kindOf(await login(token))).toBe(type);
    }
    expect(kindOf(await login(token, { provider: 'fitbit' }))).toBe('provider_api_error');
    expect(kindOf(await login(token, { provider: 'nobody' }))).toBe('provider_api_error');
    expect(await connectionsOf(user.userId)).toEqual([]);
    expect(kindOf(await login(token))).toBe('success');
  });

  it('does not call the provider for a missing, forged, foreign, otherwise limited or expired token', async () => {
    const user = await harness.newUser();
    const before = harness.logins.logins.length;
    const pinned = await harness.newToken(user, { provider: 'clinic' });
    expect(await Promise.all([undefined, 'x', pinned].map(async (token) => kindOf(await login(token))))).toEqual(
      Array<string>(3).fill('invalid_token'),
    );
    const { teamId } = (await createHarness(database.current)).team;
    const fields = { provider: 'strap', username: 'ann', password: 'right', region: null, traceId: null };
    expect(kindOf(await linkWithPassword(harness.context, { ...fields, token: await harness.newToken(user), teamId }))).toBe(
      'invalid_token',
    );
    const old = await harness.newToken(user, { redirectUrl: 'https://app.test/done' });
    clock.advance(61 * 60_000);
    expect(await login(old)).toMatchObject({ errorType: 'token_expired', redirectUrl: 'https://app.test/done' });
    expect(await stateOf(old)).toMatchObject({ state: 'error', errorType: 'token_expired' });
    expect(harness.logins.logins.length).toBe(before);
  });

  it('is rejected while the operator has not enabled the provider', async () => {
    const off = await createHarness(database.current, { isEnabled: () => false });
    expect(await login(await off.newToken(await off.newUser()), {}, off)).toMatchObject({
      errorType: 'provider_api_error',
      error: expect.stringContaining('disabled'),
    });
    expect(off.logins.logins).toEqual([]);
  });

  it('is created once by several concurrent attempts', async () => {
    const user = await harness.newUser();
    const token = await harness.newToken(user);
    harness.logins.beforeResponse = overlap;
    const before = harness.logins.logins.length;
    const outcomes = await Promise.all([1, 2, 3].map(() => login(token)));
    expect(outcomes.map(kindOf).toSorted()).toEqual(['success', 'token_consumed', 'token_consumed']);
    expect(harness.logins.logins.length - before).toBe(1);
    expect(await eventsOf(user.userId, 'provider.connection.created')).toHaveLength(1);
  });

  it("is rejected for another user's account if the team is configured to", async () => {
    const strict = await createHarness(database.current);
    await updateTeam(database.current, strict.team.teamId, { rejectDuplicateConnection: true });
    const outcomes: LinkOutcome[] = [];
    for (let i = 0; i < 2; i++) outcomes.push(await login(await strict.newToken(await strict.newUser()), {}, strict));
    expect(outcomes.map(kindOf)).toEqual(['success', 'duplicate_connection']);
  });

  it('refreshes with the stored credentials, and ends with the password', async () => {
    const user = await harness.newUser();
    await login(await harness.newToken(user));
    const { connectionId = '' } = (await connectionsOf(user.userId))[0] ?? {};
    const expire = () =>
      database.current.sql`UPDATE connection_tokens SET expires_at = now() - interval '1 day' WHERE connection_id = ${connectionId}`;
    await expire();
    expect(await getAccessToken(harness.context, connectionId)).toMatchObject({
      accessToken: expect.stringContaining('strap-'),
      version: 2n,
    });
    await expire();
    harness.logins.accounts.set('ann', { password: 'changed' });
    for (const code of ['token_refresh_pending', 'token_refresh_pending', 'provider_consent_revoked']) {
      await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code });
      await database.current.sql`UPDATE connection_tokens SET next_refresh_at = NULL WHERE connection_id = ${connectionId}`;
    }
    harness.logins.accounts.set('ann', { password: 'right' });
    expect((await connectionsOf(user.userId))[0]).toMatchObject({ status: 'error', error: { errorType: 'provider_credential_error' } });
    expect(await eventsOf(user.userId, 'provider.connection.error')).toHaveLength(1);
  });
});

describe('a code that the provider requires', () => {
  const pending = async () => {
    const user = await harness.newUser();
    const token = await harness.newToken(user);
    const outcome = await login(token, { username: 'bob' });
    return { user, token, outcome };
  };

  it('completes the link, even after wrong codes; the pending login is stored encrypted', async () => {
    const { user, token, outcome } = await pending();
    expect(outcome).toMatchObject({ state: 'pending_provider_mfa', mfa: { method: 'sms', hint: '*** *** 12' } });
    const [row] = await database.current.sql<{ mfa_ticket: Buffer }[]>`SELECT mfa_ticket FROM link_sessions WHERE user_id = ${user.userId}`;
    expect(row?.mfa_ticket.toString('latin1')).not.toMatch(/right|bob/);
    expect(kindOf(await bring(token, '999999'))).toBe('incorrect_mfa_code');
    expect(await stateOf(token)).toEqual({ state: 'pending_provider_mfa', provider: 'strap', errorType: 'incorrect_mfa_code' });
    harness.logins.next = providerDown();
    expect(kindOf(await bring(token, '123456'))).toBe('provider_api_error');
    expect(await bring(token, ' 123456 ')).toMatchObject({ state: 'success', externalUserId: 'bob' });
    expect(kindOf(await bring(token, '123456'))).toBe('token_consumed');
    const [after] = await database.current.sql`SELECT mfa_ticket FROM link_sessions WHERE user_id = ${user.userId}`;
    expect(after).toEqual({ mfa_ticket: null });
  });

  it('expires after ten minutes or the provider’s limit; the same token allows another login', async () => {
    for (const [life, wait] of [
      [15 * 60_000, 10 * 60_000],
      [60_000, 60_000],
    ] as const) {
      harness.logins.codeLifeMs = life;
      const { token } = await pending();
      clock.advance(wait - 1000);
      expect(kindOf(await bring(token, '999999'))).toBe('incorrect_mfa_code');
      clock.advance(1000);
      expect(kindOf(await bring(token, '123456'))).toBe('token_expired');
      expect(kindOf(await login(token, { username: 'bob' }))).toBe('pending_provider_mfa');
      expect(kindOf(await bring(token, '123456'))).toBe('success');
    }
    harness.logins.codeLifeMs = 15 * 60_000;
  });

  it('is rejected without a login, from another provider, or after an OAuth link was started', async () => {
    const token = await harness.newToken(await harness.newUser());
    expect(kindOf(await bring(token, '123456'))).toBe('token_not_validated');
    const other = (await pending()).token;
    expect(kindOf(await bring(other, '123456', 'fitbit'))).toBe('provider_api_error');
    await startOAuthLink(harness.context, { token: other, provider: 'fitbit', teamId: null });
    expect(kindOf(await bring(other, '123456'))).toBe('token_not_validated');
  });

  it('creates one connection when sent twice concurrently, and reaches the provider once', async () => {
    const { user, token } = await pending();
    harness.logins.beforeResponse = overlap;
    const before = harness.logins.codes.length;
    const outcomes = await Promise.all([bring(token, '123456'), bring(token, '123456')]);
    expect(outcomes.map(kindOf).toSorted()).toEqual(['success', 'token_consumed']);
    expect(harness.logins.codes.length - before).toBe(1);
    expect(await eventsOf(user.userId, 'provider.connection.created')).toHaveLength(1);
  });

  it('cannot be guessed: after ten wrong codes or a final rejection the user must log in again', async () => {
    const { token } = await pending();
    for (let i = 0; i < 10; i++) expect(kindOf(await bring(token, String(i)))).toBe('incorrect_mfa_code');
    expect(kindOf(await bring(token, '123456'))).toBe('token_not_validated');
    const again = (await pending()).token;
    harness.logins.next = refusedLogin('provider_credential_error');
    expect(kindOf(await bring(again, '123456'))).toBe('provider_credential_error');
    expect(kindOf(await bring(again, '123456'))).toBe('token_not_validated');
  });
});

describe('an expired link session', () => {
  it('loses its secrets when it expires, and is deleted a week later', async () => {
    const user = await harness.newUser();
    const token = await harness.newToken(user);
    await login(token, { username: 'bob' });
    const secrets = () => database.current.sql`SELECT 1 FROM link_sessions WHERE user_id = ${user.userId} AND mfa_ticket IS NOT NULL`;
    const forget = () => forgetLinkSessions(database.current, clock, 1000);
    clock.advance(60 * 60_000 - 1000);
    await forget();
    expect(await secrets()).toHaveLength(1);
    clock.advance(1000);
    await forget();
    expect(await secrets()).toHaveLength(0);
    expect(kindOf(await bring(token, '123456'))).toBe('token_expired');
    clock.advance(7 * 86_400_000);
    await forget();
    expect(kindOf(await bring(token, '123456'))).toBe('invalid_token');
  });
});
