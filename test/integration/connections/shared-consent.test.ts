import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@pulsewire/kernel';
import {
  completeOAuthLink,
  deregisterConnection,
  listConnections,
  markConnectionError,
  pauseConnections,
  putMustGrantScopes,
  saveProviderUser,
  processDeregistrations,
  updateTeam,
  type Deregistration,
  type LinkContext,
  type User,
} from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './harness.ts';

const database = useDatabase();
let harness: Harness;
let cleanups: Deregistration[];

beforeEach(async () => {
  await database.current.sql`DELETE FROM connections`;
  await database.current.sql`DELETE FROM deregistrations`;
  harness = await createHarness(database.current);
  cleanups = [];
});

const revoked = () => harness.provider.revoked.length;

const leave = (user: User) =>
  deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });

async function settle(context: LinkContext = harness.context) {
  await database.current.sql`UPDATE deregistrations SET due_at = now() - interval '1 second'`;
  const cleanUpProvider = async (gone: Deregistration) => void cleanups.push(gone);
  await processDeregistrations(context, { limit: 100, signal: AbortSignal.timeout(5000), cleanUpProvider });
}

/** The same provider, but its token responses do not name the account. */
function sayingNothing(): LinkContext {
  const { gate } = harness.context;
  return {
    ...harness.context,
    gate: { ...gate, exchangeCode: async (call) => ({ ...(await gate.exchangeCode(call)), providerUserId: null }) },
  };
}

async function attemptLink(context: LinkContext, user: User, account: string) {
  const { token, code } = await harness.prepareLink(user, account);
  return completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
}

describe('an account with two connected users', () => {
  it('keeps consent and subscriptions until the second user is deregistered', async () => {
    const [first, second] = [await harness.newUser(), await harness.newUser()];
    for (const user of [first, second]) await harness.link(user, 'SHARED');
    await leave(first);
    await settle();
    expect([revoked(), cleanups.length]).toEqual([0, 0]);
    expect(await database.current.sql`SELECT 1 FROM deregistrations`).toHaveLength(0);
    await leave(second);
    await settle();
    expect([revoked(), cleanups.length]).toEqual([1, 1]);
  });

  it('keeps its consent for a paused connection, whose tokens the team may have exported', async () => {
    const [first, second] = [await harness.newUser(), await harness.newUser()];
    for (const user of [first, second]) await harness.link(user, 'EXPORTED');
    await pauseConnections(
      { ...harness.context, requestWork: async () => {} },
      { teamId: second.teamId, provider: 'fitbit', userIds: [second.userId] },
    );
    await leave(first);
    await settle();
    expect(revoked()).toBe(0);
  });

  it('loses its consent when the other connection has an error', async () => {
    const [first, second] = [await harness.newUser(), await harness.newUser()];
    await harness.link(first, 'DEAD');
    await markConnectionError(harness.context, await harness.link(second, 'DEAD'), { errorType: 'unknown', message: 'It broke' });
    await leave(first);
    await settle();
    expect(revoked()).toBe(1);
  });

  it('loses its consent when the other connection uses another application', async () => {
    const other = await createHarness(database.current);
    const user = await harness.newUser();
    await harness.link(user, 'APART');
    await other.link(await other.newUser(), 'APART');
    await database.current.sql`UPDATE connections SET application = 'team' WHERE team_id = ${other.team.teamId}`;
    await leave(user);
    await settle();
    expect(revoked()).toBe(1);
  });

  it('keeps its consent when a second link is rejected for its scopes', async () => {
    await harness.link(await harness.newUser(), 'SCOPES');
    await putMustGrantScopes(database.current, harness.team.teamId, 'fitbit', ['nutrition']);
    expect(await attemptLink(sayingNothing(), await harness.newUser(), 'SCOPES')).toMatchObject({
      errorType: 'required_scopes_not_granted',
    });
    harness.provider.profileFails = true;
    await settle();
    expect([revoked(), await left()]).toEqual([0, 0]);
  });

  it('keeps its consent when a second link fails before its account is known', async () => {
    await harness.link(await harness.newUser(), 'LATE');
    harness.provider.profileFails = true;
    expect(await attemptLink(sayingNothing(), await harness.newUser(), 'LATE')).toMatchObject({ state: 'error' });
    await settle();
    expect([revoked(), await left()]).toEqual([0, 1]);
    harness.provider.profileFails = false;
    await settle();
    expect([revoked(), await left()]).toEqual([0, 0]);
  });

  it('keeps its consent when the account of a failed link stays unknown', async () => {
    await harness.link(await harness.newUser(), 'NEVER');
    harness.provider.profileFails = true;
    await attemptLink(sayingNothing(), await harness.newUser(), 'NEVER');
    const refusal = new AppError({ code: 'provider_permanent', kind: 'upstream', message: 'no' });
    const context = { ...harness.context, gate: { ...harness.context.gate, account: () => Promise.reject(refusal) } };
    await settle(context);
    expect([revoked(), await left()]).toEqual([0, 0]);
  });
});

const left = async () => (await database.current.sql`SELECT 1 FROM deregistrations`).length;

describe('a failed link to an account without other connections', () => {
  it('is revoked as soon as its account is known', async () => {
    await harness.link(await harness.newUser(), 'SOMEBODY');
    harness.provider.profileFails = true;
    await attemptLink(sayingNothing(), await harness.newUser(), 'ALONE');
    harness.provider.profileFails = false;
    await settle();
    expect([revoked(), await left()]).toEqual([1, 0]);
  });
});

it('revokes nothing while the user is linking the provider again', async () => {
  const user = await harness.newUser();
  await harness.link(user, 'AGAIN');
  await leave(user);
  harness.provider.beforeResponse = async () => {
    harness.provider.beforeResponse = async () => {};
    await settle();
  };
  await harness.link(user, 'AGAIN');
  await settle();
  expect([revoked(), await left()]).toEqual([0, 0]);
});

describe('an account that is known only after the link', () => {
  const providerUserOf = async (user: User) => (await listConnections(database.current, user.teamId, [user.userId]))[0];

  async function nameless(account: string) {
    const user = await harness.newUser();
    const connectionId = await harness.link(user, account);
    await database.current.sql`UPDATE connections SET provider_user_id = NULL WHERE connection_id = ${connectionId}`;
    return { user, reference: { connectionId, teamId: user.teamId, userId: user.userId, provider: 'fitbit' } };
  }

  it('is stored once, so that pushes find the connection', async () => {
    const { user, reference } = await nameless('NAMED');
    expect(await saveProviderUser(harness.context, reference, 'NAMED')).toBe(true);
    expect(await saveProviderUser(harness.context, reference, 'OTHER')).toBe(true);
    expect(await providerUserOf(user)).toMatchObject({ providerUserId: 'NAMED', externalUserId: 'NAMED', status: 'connected' });
  });

  it('ends the connection of the second user when the team rejects duplicates', async () => {
    await updateTeam(database.current, harness.team.teamId, { rejectDuplicateConnection: true });
    await harness.link(await harness.newUser(), 'TAKEN');
    const { user, reference } = await nameless('FREE');
    expect(await saveProviderUser(harness.context, reference, 'TAKEN')).toBe(false);
    expect(await providerUserOf(user)).toMatchObject({ providerUserId: null, status: 'error', error: { errorType: 'unknown' } });
  });
});
