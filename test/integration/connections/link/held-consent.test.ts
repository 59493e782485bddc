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
import { useDatabase } from '../../../support/database.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
const clock = createManualClock(systemClock.now());
let harness: Harness;

beforeEach(async () => {
  for (const table of ['connections', 'deregistrations', 'link_consents']) await database.current.sql.unsafe(`DELETE FROM ${table}`);
  harness = await createHarness(database.current, { clock });
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

/** A flow that a client started without a key, up to the provider's redirect. */
async function agree(user: User, account = `account-${user.userId.slice(0, 8)}`) {
  const token = await harness.newToken(user, { redirectUrl: 'https://app.test/done' });
  const { oauthUrl } = await startOAuthLink(harness.context, { token, provider: 'fitbit', teamId: null });
  return { token, code: harness.provider.agree(oauthUrl, { account }) };
}

async function followCallback({ token, code }: { token: string; code: string }) {
  const outcome = await completeOAuthLink(harness.context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
  return outcome.state === 'pending_confirmation' ? outcome.consentId : outcome.state;
}

const confirm = (token: string, consent: string) =>
  confirmOAuthLink(harness.context, { token, teamId: null, provider: 'fitbit', consent, traceId: null });

async function settle() {
  // As in a late job run, several deregistrations are due together.
  clock.advance(60_000);
  await processDeregistrations(harness.context, { limit: 10, signal: AbortSignal.timeout(10_000) });
}

describe('a grant that the user has not confirmed yet', () => {
  it('is exchanged immediately and stored encrypted, without a connection', async () => {
    const flow = await agree(await harness.newUser());
    const consent = await followCallback(flow);
    expect(await standing()).toEqual({ ...nothing, consents: 1 });
    const [row] = await database.current.sql<{ token_answer: Buffer }[]>`SELECT token_answer FROM link_consents`;
    expect(row?.token_answer.toString('latin1')).not.toContain('access');
    clock.advance(9 * 60_000);
    expect(await confirm(flow.token, consent)).toMatchObject({ state: 'success', location: 'https://app.test/done?state=success' });
    expect(await standing()).toEqual({ ...nothing, connections: 1, tokens: 1 });
    await settle();
    expect(harness.provider.revoked).toEqual([]);
  });

  it('is exchanged once, even when the callback is loaded again or concurrently', async () => {
    const flow = await agree(await harness.newUser());
    const [first, second] = await Promise.all([followCallback(flow), followCallback(flow)]);
    expect([second, await followCallback(flow)]).toEqual([first, first]);
    expect((await confirm(flow.token, first)).state).toBe('success');
  });

  it('is revoked when the user declines, and the app gets user_cancelled', async () => {
    const flow = await agree(await harness.newUser());
    const consent = await followCallback(flow);
    const outcome = await declineOAuthLink(harness.context, { token: flow.token, consent });
    expect(outcome.location).toContain('https://app.test/done?state=error&error_type=user_cancelled');
    expect(await standing()).toEqual({ ...nothing, toRevoke: 1 });
    await settle();
    expect([harness.provider.revoked.length, await standing()]).toEqual([1, nothing]);
    // The decision is sent again from an old page: there is nothing to connect or revoke.
    expect(await confirm(flow.token, consent)).toMatchObject({ state: 'error', errorType: 'token_not_validated' });
    await declineOAuthLink(harness.context, { token: flow.token, consent });
    expect(await standing()).toEqual(nothing);
  });

  it('is revoked when it is not confirmed within ten minutes', async () => {
    const flow = await agree(await harness.newUser());
    const consent = await followCallback(flow);
    expect(await revokeExpiredConsents(harness.context, 10)).toBe(0);
    clock.advance(10 * 60_000);
    expect(await confirm(flow.token, consent)).toMatchObject({ state: 'error', errorType: 'token_not_validated' });
    expect(await revokeExpiredConsents(harness.context, 10)).toBe(1);
    await settle();
    expect([harness.provider.revoked.length, await standing()]).toEqual([1, nothing]);
  });

  it('becomes one connection or is revoked, never both, whatever concurrent decisions arrive', async () => {
    for (let round = 0; round < 5; round++) {
      const flow = await agree(await harness.newUser());
      const consent = await followCallback(flow);
      const before = { ...(await standing()), revoked: harness.provider.revoked.length };
      const responses = [
        confirm(flow.token, consent),
        declineOAuthLink(harness.context, { token: flow.token, consent }),
        confirm(flow.token, consent),
      ];
      const outcomes = await Promise.all(responses);
      const [first, , second] = outcomes;
      await settle();
      const after = await standing();
      const made = after.connections - before.connections;
      expect([made, harness.provider.revoked.length - before.revoked, after.consents]).toEqual(made === 1 ? [1, 0, 0] : [0, 1, 0]);
      // A second click gets the same outcome as the first.
      expect(second?.state).toEqual(first?.state);
      expect(first?.state).toBe(made === 1 ? 'success' : 'error');
    }
  });

  it('is revoked when it cannot be stored: the user was deleted, or the team rejects the account', async () => {
    const [user, other] = [await harness.newUser(), await harness.newUser()];
    await updateTeam(database.current, harness.team.teamId, { rejectDuplicateConnection: true });
    await harness.link(other, 'TAKEN');
    const taken = await agree(user, 'TAKEN');
    expect(await confirm(taken.token, await followCallback(taken))).toMatchObject({ errorType: 'duplicate_connection' });
    // The account is connected to another user by the same consent.
    await settle();
    expect([harness.provider.revoked.length, await standing()]).toEqual([0, { ...nothing, connections: 1, tokens: 1 }]);
    const late = await agree(user);
    await followCallback(late);
    await deleteUser(database.current, harness.context, user.teamId, user.userId);
    clock.advance(10 * 60_000);
    await revokeExpiredConsents(harness.context, 10);
    await settle();
    expect(harness.provider.revoked).toHaveLength(1);
  });

  it('is not revoked with an earlier consent to the same account', async () => {
    const user = await harness.newUser();
    const first = await agree(user, 'MINE');
    await declineOAuthLink(harness.context, { token: first.token, consent: await followCallback(first) });
    const second = await agree(user, 'MINE');
    const consent = await followCallback(second);
    await settle();
    expect(harness.provider.revoked).toHaveLength(0);
    expect((await confirm(second.token, consent)).state).toBe('success');
    await database.current.sql`UPDATE deregistrations SET due_at = clock_timestamp()`;
    await settle();
    expect([harness.provider.revoked.length, await rowsOf('deregistrations')]).toEqual([0, 0]);
  });

  it('belongs to its session: another link token cannot confirm it', async () => {
    const [mine, other] = [await agree(await harness.newUser()), await agree(await harness.newUser())];
    const consent = await followCallback(mine);
    expect(await confirm(other.token, consent)).toMatchObject({ state: 'error', errorType: 'token_not_validated' });
    await declineOAuthLink(harness.context, { token: other.token, consent });
    expect((await confirm(mine.token, consent)).state).toBe('success');
  });
});

describe('a flow that the team’s server started with its key', () => {
  it('connects at the callback, unless the team requires every link to be confirmed', async () => {
    const direct = await harness.prepareLink(await harness.newUser());
    expect(await followCallback(direct)).toBe('success');
    await updateTeam(database.current, harness.team.teamId, { confirmLinks: true });
    const requested = await harness.prepareLink(await harness.newUser());
    const consent = await followCallback(requested);
    expect(await standing()).toMatchObject({ connections: 1, consents: 1 });
    expect(await confirm(requested.token, consent)).toMatchObject({ state: 'success', location: 'https://app.test/done?state=success' });
  });

  it('must be confirmed when the team enabled that between its start and its callback', async () => {
    const flow = await harness.prepareLink(await harness.newUser());
    await updateTeam(database.current, harness.team.teamId, { confirmLinks: true });
    await followCallback(flow);
    expect(await standing()).toEqual({ ...nothing, consents: 1 });
  });
});
