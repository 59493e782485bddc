import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  completeOAuthLink,
  getAccessToken,
  linkManually,
  linkWithPassword,
  listConnections,
  putOAuthCredential,
  processDeregistrations,
  type Deregistration,
  type User,
} from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './harness.ts';

const database = useDatabase();
let harness: Harness;
let cleanups: Deregistration[];
let dropped: string[];
let failsToPlan = false;

beforeAll(async () => {
  harness = await createHarness(database.current, {
    onConnected: () => (failsToPlan ? Promise.reject(new Error('no plan')) : Promise.resolve()),
    onDeregistered: async (_tx, { connectionId }) => void dropped.push(connectionId),
  });
});

beforeEach(async () => {
  await database.current.sql`DELETE FROM connections`;
  await database.current.sql`DELETE FROM deregistrations`;
  harness.provider.revoked.length = 0;
  cleanups = [];
  dropped = [];
});

const left = async () => (await database.current.sql`SELECT 1 FROM deregistrations`).length;
const connectionsOf = (user: User) => listConnections(database.current, user.teamId, [user.userId]);

async function settle() {
  const cleanUpProvider = async (gone: Deregistration) => void cleanups.push(gone);
  await processDeregistrations(harness.context, { limit: 100, signal: AbortSignal.timeout(5000), cleanUpProvider });
}

describe('linking a provider again with another account', () => {
  it('ends the connection to the old account: its pulls, and later its subscriptions and its consent', async () => {
    const user = await harness.newUser();
    const old = await harness.link(user, 'OLD');
    const next = await harness.link(user, 'NEXT');
    expect(dropped).toEqual([old]);
    expect(await connectionsOf(user)).toEqual([
      expect.objectContaining({ connectionId: next, providerUserId: 'NEXT', status: 'connected', application: 'platform' }),
    ]);
    expect(next).not.toBe(old);
    expect([harness.provider.revoked, await left()]).toEqual([[], 1]);
    await settle();
    expect(cleanups).toEqual([expect.objectContaining({ connectionId: old, providerUserId: 'OLD' })]);
    expect(harness.provider.revoked).toEqual([expect.stringContaining('refresh-OLD-')]);
    expect(await left()).toBe(0);
    expect((await getAccessToken(harness.context, next)).accessToken).toContain('access-NEXT-');
  });

  it('keeps the old account’s consent when another user is connected to it', async () => {
    const [user, sibling] = [await harness.newUser(), await harness.newUser()];
    for (const linked of [user, sibling]) await harness.link(linked, 'SHARED');
    await harness.link(user, 'OWN');
    await settle();
    expect([harness.provider.revoked, cleanups, await left()]).toEqual([[], [], 0]);
  });

  it('does not revoke a consent that the user has linked again in the meantime', async () => {
    const user = await harness.newUser();
    for (const account of ['HERE', 'THERE', 'HERE']) await harness.link(user, account);
    await settle();
    expect(cleanups.map(({ providerUserId }) => providerUserId)).toEqual(['THERE']);
    expect(harness.provider.revoked).toEqual([expect.stringContaining('refresh-THERE-')]);
  });

  it('does not change the old connection when the new one cannot be stored', async () => {
    const user = await harness.newUser();
    const old = await harness.link(user, 'STAYS');
    const { token, code } = await harness.prepareLink(user, 'LOST');
    failsToPlan = true;
    const callback = completeOAuthLink(harness.context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
    await expect(callback).rejects.toThrow('no plan');
    failsToPlan = false;
    expect((await connectionsOf(user)).map(({ connectionId }) => connectionId)).toEqual([old]);
    await settle();
    expect(cleanups.map(({ providerUserId }) => providerUserId)).toEqual(['LOST']);
    expect((await getAccessToken(harness.context, old)).accessToken).toContain('access-STAYS-');
  });

  it('keeps the connection of the same account, its history and its plans', async () => {
    const user = await harness.newUser();
    const first = await harness.link(user, 'SAME');
    expect(await harness.link(user, 'SAME')).toBe(first);
    await database.current.sql`UPDATE connections SET provider_user_id = NULL`;
    expect(await harness.link(user, 'SAME')).toBe(first);
    expect([dropped, await left()]).toEqual([[], 0]);
  });

  it.each(['token', 'account'])('keeps known facts only for the same account, identified by the %s response', async (reported) => {
    const user = await harness.newUser();
    const { gate } = harness.context;
    const exchangeCode: typeof gate.exchangeCode = async (call) => {
      const tokens = await gate.exchangeCode(call);
      return reported === 'token' ? tokens : { ...tokens, providerUserId: null };
    };
    const link = async (account: string) => {
      const { token: state, code } = await harness.prepareLink(user, account);
      const context = { ...harness.context, gate: { ...gate, exchangeCode } };
      await completeOAuthLink(context, { provider: 'fitbit', state, code, error: undefined, traceId: null });
      const [connection] = await connectionsOf(user);
      return connection?.account;
    };
    const before = { since: '2020-01-01', time_zone: 'Asia/Tokyo' };
    await link('TRAVELLER');
    const known = { time_zone: 'Asia/Tokyo', time_zones: [before] };
    await database.current.sql`UPDATE connections SET account = ${JSON.stringify(known)}::jsonb WHERE user_id = ${user.userId}`;
    expect(await link('TRAVELLER')).toMatchObject({ time_zones: [before, { time_zone: 'Europe/Lisbon' }] });
    harness.provider.profileFails = true;
    if (reported === 'token') expect(await link('TRAVELLER')).toMatchObject({ time_zones: [before, { time_zone: 'Europe/Lisbon' }] });
    harness.provider.profileFails = false;
    expect(await link('STRANGER')).toMatchObject({ time_zones: [{ time_zone: 'Europe/Lisbon' }] });
  });

  it('also applies to another user name and to another device', async () => {
    const user = await harness.newUser();
    for (const username of ['ann', 'ben']) {
      harness.logins.accounts.set(username, { password: 'right' });
      const token = await harness.newToken(user);
      const link = { token, teamId: user.teamId, provider: 'strap', username, password: 'right', region: null, traceId: null };
      expect(await linkWithPassword(harness.context, link)).toMatchObject({ state: 'success' });
    }
    for (const providerUserId of ['cuff', 'scale'])
      await linkManually(harness.context, {
        teamId: user.teamId,
        userId: user.userId,
        provider: 'omron_ble',
        providerUserId,
        traceId: null,
      });
    expect(dropped).toHaveLength(2);
    expect((await connectionsOf(user)).map(({ externalUserId }) => externalUserId)).toEqual(['ben', 'scale']);
  });
});

it('linking the same account with another application revokes the first consent', async () => {
  const user = await harness.newUser();
  const old = await harness.link(user, 'MOVED');
  const credential = { teamId: user.teamId, provider: 'fitbit', clientId: 'own', clientSecret: 'own-secret', redirectUrlOverride: null };
  await putOAuthCredential(database.current, harness.context, credential);
  const next = await harness.link(user, 'MOVED');
  expect([dropped, await connectionsOf(user)]).toEqual([[old], [expect.objectContaining({ connectionId: next, application: 'team' })]]);
  await settle();
  expect(cleanups).toEqual([expect.objectContaining({ connectionId: old, application: 'platform' })]);
});
