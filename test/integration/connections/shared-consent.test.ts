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
import { createStage, type Stage } from './setup.ts';

const database = useDatabase();
let stage: Stage;
let cleanups: Deregistration[];

beforeEach(async () => {
  await database.current.sql`DELETE FROM connections`;
  await database.current.sql`DELETE FROM deregistrations`;
  stage = await createStage(database.current);
  cleanups = [];
});

const revoked = () => stage.provider.revoked.length;

const leave = (user: User) =>
  deregisterConnection(database.current, stage.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });

async function settle(context: LinkContext = stage.context) {
  await database.current.sql`UPDATE deregistrations SET due_at = now() - interval '1 second'`;
  const cleanUpProvider = async (gone: Deregistration) => void cleanups.push(gone);
  await processDeregistrations(context, { limit: 100, signal: AbortSignal.timeout(5000), cleanUpProvider });
}

/** The same provider, whose token answer does not say whose tokens they are. */
function sayingNothing(): LinkContext {
  const { gate } = stage.context;
  return {
    ...stage.context,
    gate: { ...gate, exchangeCode: async (call) => ({ ...(await gate.exchangeCode(call)), providerUserId: null }) },
  };
}

async function attemptLink(context: LinkContext, user: User, account: string) {
  const { token, code } = await stage.prepareLink(user, account);
  return completeOAuthLink(context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
}

describe('an account with two connected users', () => {
  it('keeps consent and subscriptions until the second user is deregistered', async () => {
    const [first, second] = [await stage.newUser(), await stage.newUser()];
    for (const user of [first, second]) await stage.link(user, 'SHARED');
    await leave(first);
    await settle();
    expect([revoked(), cleanups.length]).toEqual([0, 0]);
    expect(await database.current.sql`SELECT 1 FROM deregistrations`).toHaveLength(0);
    await leave(second);
    await settle();
    expect([revoked(), cleanups.length]).toEqual([1, 1]);
  });

  it('keeps its consent for a paused connection, whose tokens the team may have exported', async () => {
    const [first, second] = [await stage.newUser(), await stage.newUser()];
    for (const user of [first, second]) await stage.link(user, 'EXPORTED');
    await pauseConnections(
      { ...stage.context, requestWork: async () => {} },
      { teamId: second.teamId, provider: 'fitbit', userIds: [second.userId] },
    );
    await leave(first);
    await settle();
    expect(revoked()).toBe(0);
  });

  it('loses its consent when the other connection has an error', async () => {
    const [first, second] = [await stage.newUser(), await stage.newUser()];
    await stage.link(first, 'DEAD');
    await markConnectionError(stage.context, await stage.link(second, 'DEAD'), { errorType: 'unknown', message: 'It broke' });
    await leave(first);
    await settle();
    expect(revoked()).toBe(1);
  });

  it('loses its consent when the other connection uses another application', async () => {
    const other = await createStage(database.current);
    const user = await stage.newUser();
    await stage.link(user, 'APART');
    await other.link(await other.newUser(), 'APART');
    await database.current.sql`UPDATE connections SET application = 'team' WHERE team_id = ${other.team.teamId}`;
    await leave(user);
    await settle();
    expect(revoked()).toBe(1);
  });

  it('keeps its consent when a second link is rejected for its scopes', async () => {
    await stage.link(await stage.newUser(), 'SCOPES');
    await putMustGrantScopes(database.current, stage.team.teamId, 'fitbit', ['nutrition']);
    expect(await attemptLink(sayingNothing(), await stage.newUser(), 'SCOPES')).toMatchObject({ errorType: 'required_scopes_not_granted' });
    stage.provider.profileFails = true;
    await settle();
    expect([revoked(), await left()]).toEqual([0, 0]);
  });

  it('keeps its consent when a second link fails before its account is known', async () => {
    await stage.link(await stage.newUser(), 'LATE');
    stage.provider.profileFails = true;
    expect(await attemptLink(sayingNothing(), await stage.newUser(), 'LATE')).toMatchObject({ state: 'error' });
    await settle();
    expect([revoked(), await left()]).toEqual([0, 1]);
    stage.provider.profileFails = false;
    await settle();
    expect([revoked(), await left()]).toEqual([0, 0]);
  });

  it('keeps its consent when the account of a failed link stays unknown', async () => {
    await stage.link(await stage.newUser(), 'NEVER');
    stage.provider.profileFails = true;
    await attemptLink(sayingNothing(), await stage.newUser(), 'NEVER');
    const refusal = new AppError({ code: 'provider_permanent', kind: 'upstream', message: 'no' });
    const context = { ...stage.context, gate: { ...stage.context.gate, account: () => Promise.reject(refusal) } };
    await settle(context);
    expect([revoked(), await left()]).toEqual([0, 0]);
  });
});

const left = async () => (await database.current.sql`SELECT 1 FROM deregistrations`).length;

describe('a failed link to an account without other connections', () => {
  it('is revoked as soon as its account is known', async () => {
    await stage.link(await stage.newUser(), 'SOMEBODY');
    stage.provider.profileFails = true;
    await attemptLink(sayingNothing(), await stage.newUser(), 'ALONE');
    stage.provider.profileFails = false;
    await settle();
    expect([revoked(), await left()]).toEqual([1, 0]);
  });
});

it('revokes nothing while the user is linking the provider again', async () => {
  const user = await stage.newUser();
  await stage.link(user, 'AGAIN');
  await leave(user);
  stage.provider.beforeAnswer = async () => {
    stage.provider.beforeAnswer = async () => {};
    await settle();
  };
  await stage.link(user, 'AGAIN');
  await settle();
  expect([revoked(), await left()]).toEqual([0, 0]);
});

describe('an account that the provider names only after the link', () => {
  const providerUserOf = async (user: User) => (await listConnections(database.current, user.teamId, [user.userId]))[0];

  async function nameless(account: string) {
    const user = await stage.newUser();
    const connectionId = await stage.link(user, account);
    await database.current.sql`UPDATE connections SET provider_user_id = NULL WHERE connection_id = ${connectionId}`;
    return { user, reference: { connectionId, teamId: user.teamId, userId: user.userId, provider: 'fitbit' } };
  }

  it('is stored once, so that pushes find the connection', async () => {
    const { user, reference } = await nameless('NAMED');
    expect(await saveProviderUser(stage.context, reference, 'NAMED')).toBe(true);
    expect(await saveProviderUser(stage.context, reference, 'OTHER')).toBe(true);
    expect(await providerUserOf(user)).toMatchObject({ providerUserId: 'NAMED', externalUserId: 'NAMED', status: 'connected' });
  });

  it('ends the connection of the second user when the team rejects duplicates', async () => {
    await updateTeam(database.current, stage.team.teamId, { rejectDuplicateConnection: true });
    await stage.link(await stage.newUser(), 'TAKEN');
    const { user, reference } = await nameless('FREE');
    expect(await saveProviderUser(stage.context, reference, 'TAKEN')).toBe(false);
    expect(await providerUserOf(user)).toMatchObject({ providerUserId: null, status: 'error', error: { errorType: 'unknown' } });
  });
});
