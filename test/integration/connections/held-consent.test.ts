import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, systemClock } from '@pulsewire/kernel';
import {
  completeOAuthLink,
  confirmOAuthLink,
  declineOAuthLink,
  deleteUser,
  revokeExpiredConsents,
  processDeregistrations,
  startOAuthLink,
  updateTeam,
  type User,
} from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { createStage, type Stage } from './setup.ts';

const database = useDatabase();
const clock = createManualClock(systemClock.now());
let stage: Stage;

beforeEach(async () => {
  for (const table of ['connections', 'deregistrations', 'link_consents']) await database.current.sql.unsafe(`DELETE FROM ${table}`);
  stage = await createStage(database.current, { clock });
});
afterAll(() => database.current.sql`DELETE FROM connections`);

const rowsOf = async (table: string) => (await database.current.sql.unsafe(`SELECT * FROM ${table}`)).length;
const standing = async () => ({
  connections: await rowsOf('connections'),
  tokens: await rowsOf('connection_tokens'),
  consents: await rowsOf('link_consents'),
  toRevoke: await rowsOf('deregistrations'),
});
const nothing = { connections: 0, tokens: 0, consents: 0, toRevoke: 0 };

/** A flow that a client has started without a key; up to the provider's redirect. */
async function agree(user: User, account = `account-${user.userId.slice(0, 8)}`) {
  const token = await stage.newToken(user, { redirectUrl: 'https://app.test/done' });
  const { oauthUrl } = await startOAuthLink(stage.context, { token, provider: 'fitbit', teamId: null });
  return { token, code: stage.provider.agree(oauthUrl, { account }) };
}

async function comeBack({ token, code }: { token: string; code: string }) {
  const outcome = await completeOAuthLink(stage.context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
  return outcome.state === 'pending_confirmation' ? outcome.consentId : outcome.state;
}

const confirm = (token: string, consent: string) =>
  confirmOAuthLink(stage.context, { token, teamId: null, provider: 'fitbit', consent, traceId: null });

async function settle() {
  // A job that is late finds several due at once.
  clock.advance(60_000);
  await processDeregistrations(stage.context, { limit: 10, signal: AbortSignal.timeout(10_000) });
}

describe('what a provider grants before the person has confirmed', () => {
  it('is exchanged at once, for codes may live half a minute, and held sealed without any connection', async () => {
    const flow = await agree(await stage.newUser());
    const consent = await comeBack(flow);
    expect(await standing()).toEqual({ ...nothing, consents: 1 });
    const [row] = await database.current.sql<{ token_answer: Buffer }[]>`SELECT token_answer FROM link_consents`;
    expect(row?.token_answer.toString('latin1')).not.toContain('access');
    clock.advance(9 * 60_000);
    expect(await confirm(flow.token, consent)).toMatchObject({ state: 'success', location: 'https://app.test/done?state=success' });
    expect(await standing()).toEqual({ ...nothing, connections: 1, tokens: 1 });
    await settle();
    expect(stage.provider.revoked).toEqual([]);
  });

  it('is exchanged once, though the callback is loaded again or twice at the same moment', async () => {
    const flow = await agree(await stage.newUser());
    const [first, second] = await Promise.all([comeBack(flow), comeBack(flow)]);
    expect([second, await comeBack(flow)]).toEqual([first, first]);
    expect((await confirm(flow.token, first)).state).toBe('success');
  });

  it('is revoked when the person refuses, and the app hears that they did', async () => {
    const flow = await agree(await stage.newUser());
    const consent = await comeBack(flow);
    const outcome = await declineOAuthLink(stage.context, { token: flow.token, consent });
    expect(outcome.location).toContain('https://app.test/done?state=error&error_type=user_cancelled');
    expect(await standing()).toEqual({ ...nothing, toRevoke: 1 });
    await settle();
    expect([stage.provider.revoked.length, await standing()]).toEqual([1, nothing]);
    // The answer comes a second time, from an old page: nothing to connect, nothing to revoke.
    expect(await confirm(flow.token, consent)).toMatchObject({ state: 'error', errorType: 'token_not_validated' });
    await declineOAuthLink(stage.context, { token: flow.token, consent });
    expect(await standing()).toEqual(nothing);
  });

  it('is revoked when nobody answers for ten minutes', async () => {
    const flow = await agree(await stage.newUser());
    const consent = await comeBack(flow);
    expect(await revokeExpiredConsents(stage.context, 10)).toBe(0);
    clock.advance(10 * 60_000);
    expect(await confirm(flow.token, consent)).toMatchObject({ state: 'error', errorType: 'token_not_validated' });
    expect(await revokeExpiredConsents(stage.context, 10)).toBe(1);
    await settle();
    expect([stage.provider.revoked.length, await standing()]).toEqual([1, nothing]);
  });

  it('becomes one connection, or is revoked, never both, whatever answers come at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const flow = await agree(await stage.newUser());
      const consent = await comeBack(flow);
      const before = { ...(await standing()), revoked: stage.provider.revoked.length };
      const answers = [
        confirm(flow.token, consent),
        declineOAuthLink(stage.context, { token: flow.token, consent }),
        confirm(flow.token, consent),
      ];
      const outcomes = await Promise.all(answers);
      const [first, , second] = outcomes;
      await settle();
      const after = await standing();
      const made = after.connections - before.connections;
      expect([made, stage.provider.revoked.length - before.revoked, after.consents]).toEqual(made === 1 ? [1, 0, 0] : [0, 1, 0]);
      // A second click hears the same as the first.
      expect(second?.state).toEqual(first?.state);
      expect(first?.state).toBe(made === 1 ? 'success' : 'error');
    }
  });

  it('is revoked when it cannot be stored: the user is gone, or the team refuses the account', async () => {
    const [user, other] = [await stage.newUser(), await stage.newUser()];
    await updateTeam(database.current, stage.team.teamId, { rejectDuplicateConnection: true });
    await stage.link(other, 'TAKEN');
    const taken = await agree(user, 'TAKEN');
    expect(await confirm(taken.token, await comeBack(taken))).toMatchObject({ errorType: 'duplicate_connection' });
    // The account is another user's, who lives by the same consent.
    await settle();
    expect([stage.provider.revoked.length, await standing()]).toEqual([0, { ...nothing, connections: 1, tokens: 1 }]);
    const late = await agree(user);
    await comeBack(late);
    await deleteUser(database.current, stage.context, user.teamId, user.userId);
    clock.advance(10 * 60_000);
    await revokeExpiredConsents(stage.context, 10);
    await settle();
    expect(stage.provider.revoked).toHaveLength(1);
  });

  it('is not revoked by an earlier consent to the same account while it waits', async () => {
    const user = await stage.newUser();
    const first = await agree(user, 'MINE');
    await declineOAuthLink(stage.context, { token: first.token, consent: await comeBack(first) });
    const second = await agree(user, 'MINE');
    const consent = await comeBack(second);
    await settle();
    expect(stage.provider.revoked).toHaveLength(0);
    expect((await confirm(second.token, consent)).state).toBe('success');
    clock.advance(3_600_000);
    await settle();
    expect([stage.provider.revoked.length, await rowsOf('deregistrations')]).toEqual([0, 0]);
  });

  it('belongs to its session: another link token confirms nothing', async () => {
    const [mine, other] = [await agree(await stage.newUser()), await agree(await stage.newUser())];
    const consent = await comeBack(mine);
    expect(await confirm(other.token, consent)).toMatchObject({ state: 'error', errorType: 'token_not_validated' });
    await declineOAuthLink(stage.context, { token: other.token, consent });
    expect((await confirm(mine.token, consent)).state).toBe('success');
  });
});

describe('a flow that the team’s server started with its key', () => {
  it('connects at the callback, as the app expects, unless the team has every link confirmed', async () => {
    const direct = await stage.prepareLink(await stage.newUser());
    expect(await comeBack(direct)).toBe('success');
    await updateTeam(database.current, stage.team.teamId, { confirmLinks: true });
    const asked = await stage.prepareLink(await stage.newUser());
    const consent = await comeBack(asked);
    expect(await standing()).toMatchObject({ connections: 1, consents: 1 });
    expect(await confirm(asked.token, consent)).toMatchObject({ state: 'success', location: 'https://app.test/done?state=success' });
  });

  it('is confirmed when the team has switched that on between its start and its callback', async () => {
    const flow = await stage.prepareLink(await stage.newUser());
    await updateTeam(database.current, stage.team.teamId, { confirmLinks: true });
    await comeBack(flow);
    expect(await standing()).toEqual({ ...nothing, consents: 1 });
  });
});
