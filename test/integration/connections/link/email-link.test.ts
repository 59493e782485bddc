import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import {
  confirmEmailLink,
  connectDemo,
  declineEmailLink,
  deleteUser,
  deregisterConnection,
  expireEmailLinks,
  getAccessToken,
  linkByEmail,
  linkErrorType,
  listConnections,
  listEmailLinks,
  putOAuthCredential,
  updateTeam,
  type Connection,
  type User,
} from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { providerDown } from '../fake-logins.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date());
const planned: string[] = [];
const monthMs = 30 * 86_400_000;
let harness: Harness;

beforeAll(async () => {
  harness = await createHarness(database.current, { clock, onConnected: async (_tx, { connectionId }) => void planned.push(connectionId) });
});
beforeEach(() => {
  harness.logins.next = null;
  harness.logins.beforeResponse = async () => {};
});

async function ask(user: User, email = 'ann@example.test', region: string | null = null, on = harness, known?: string) {
  const token = known ?? (await on.newToken(user, { redirectUrl: 'https://app.test/done' }));
  return linkByEmail(on.context, { token, teamId: null, traceId: null, provider: 'clinic', email, region });
}
async function linkIdOf(user: User, email?: string, on = harness): Promise<string> {
  const requested = await ask(user, email, null, on);
  if (requested.state === 'error' || requested.linkId === null) throw new Error(`Not asked: ${JSON.stringify(requested)}`);
  return requested.linkId;
}
const confirm = (linkId: string, patientId = `patient-${linkId}`, on = harness): Promise<Connection> =>
  confirmEmailLink(on.context, { linkId, patientId, traceId: 'trace', isForced: true });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => linkErrorType(error) ?? (error as { code: string }).code,
  );
const connectionsOf = ({ userId, teamId }: User) => listConnections(database.current, teamId, [userId]);
const waitingFor = async ({ userId }: User) =>
  (await listEmailLinks(database.current, clock, { provider: 'clinic', limit: 1000 })).filter((link) => link.userId === userId);
const eventsOf = ({ userId }: User) =>
  database.current.sql<
    { json: string }[]
  >`SELECT json FROM log_events WHERE user_id = ${userId} AND event_type = 'provider.connection.created'`;

describe('a link by e-mail', () => {
  it('becomes a connection with tokens, event and plan when the practice confirms', async () => {
    const user = await harness.newUser();
    const before = harness.logins.asPractice.length;
    const requested = await ask(user, 'Ann@example.test', 'us');
    expect(requested).toMatchObject({
      state: 'success',
      connectionId: null,
      externalUserId: 'Ann@example.test',
      redirectUrl: 'https://app.test/done',
    });
    expect([await connectionsOf(user), [...(await eventsOf(user))], harness.logins.asPractice.length - before]).toEqual([[], [], 0]);
    const [waiting] = await waitingFor(user);
    expect(waiting).toMatchObject({ email: 'Ann@example.test', region: 'us', application: 'platform' });

    const connection = await confirm(waiting?.linkId ?? '', 'patient-1');
    expect(await connectionsOf(user)).toEqual([connection]);
    expect(connection).toMatchObject({
      providerUserId: 'patient-1',
      externalUserId: 'Ann@example.test',
      status: 'connected',
      account: { practice: 'p1' },
    });
    expect(harness.logins.asPractice.at(-1)).toEqual({ practice: 'platform-id', patientId: 'patient-1', region: 'us' });
    expect(planned).toContain(connection.connectionId);
    const events = await eventsOf(user);
    expect(events).toHaveLength(1);
    expect(events[0]?.json).toContain('https://api.test/logos/clinic');
    expect(await waitingFor(user)).toEqual([]);
    expect((await getAccessToken(harness.context, connection.connectionId)).accessToken).toMatch(/^strap-/);
  });

  it('keeps its id when it is requested again, but not with another address', async () => {
    const user = await harness.newUser();
    const first = await linkIdOf(user, 'ann@example.test');
    clock.advance(86_400_000);
    expect(await linkIdOf(user, 'ANN@example.test')).toBe(first);
    const [waiting] = await waitingFor(user);
    expect(waiting?.expiresAt.getTime()).toBe(clock.now().getTime() + monthMs);
    const second = await linkIdOf(user, 'other@example.test');
    expect(second).not.toBe(first);
    expect(await waitingFor(user)).toMatchObject([{ linkId: second, email: 'other@example.test' }]);
    expect(await refusalOf(confirm(first))).toBe('email_link_not_found');
    await confirm(second);
    // Already connected to this address: nothing is pending.
    expect(await ask(user, 'Other@example.test')).toMatchObject({ state: 'success', linkId: null, connectionId: expect.any(String) });
    expect(await waitingFor(user)).toEqual([]);
  });

  it('keeps the existing connection until another address is confirmed', async () => {
    const user = await harness.newUser();
    const { connectionId } = await confirm(await linkIdOf(user, 'ann@example.test'), 'patient-old');
    const next = await linkIdOf(user, 'other@example.test');
    expect(await connectionsOf(user)).toMatchObject([{ connectionId, externalUserId: 'ann@example.test' }]);
    await confirm(next, 'patient-new');
    // Another account gets a new connection with its own history.
    expect(await connectionsOf(user)).toMatchObject([
      { connectionId: expect.not.stringContaining(connectionId), externalUserId: 'other@example.test', providerUserId: 'patient-new' },
    ]);
  });

  it('is confirmed once by two concurrent confirmations', async () => {
    const user = await harness.newUser();
    const linkId = await linkIdOf(user);
    const both = await Promise.all([refusalOf(confirm(linkId)), refusalOf(confirm(linkId))]);
    expect(both.toSorted()).toEqual(['done', 'email_link_not_found']);
    expect(await eventsOf(user)).toHaveLength(1);
  });

  it('stays pending when the provider rejects the practice or cannot be reached', async () => {
    const user = await harness.newUser();
    const linkId = await linkIdOf(user);
    expect(await refusalOf(confirm(linkId, 'nobody'))).toBe('provider_credential_error');
    harness.logins.next = providerDown();
    expect(await refusalOf(confirm(linkId))).toBe('provider_api_error');
    expect([await connectionsOf(user), (await waitingFor(user)).length]).toEqual([[], 1]);
    harness.logins.next = null;
    expect(await refusalOf(confirm(linkId))).toBe('done');
  });

  it('is rejected for an unknown region, for a demo user, and without a practice', async () => {
    expect(await ask(await harness.newUser(), 'ann@example.test', 'de')).toMatchObject({ errorType: 'unsupported_region' });
    const without = await createHarness(database.current, { clock, platformApplication: () => null });
    expect(await ask(await without.newUser(), 'ann@example.test', null, without)).toMatchObject({ errorType: 'provider_credential_error' });
    const sandbox = await createHarness(database.current, { clock }, { isSandbox: true });
    const demo = await sandbox.newUser();
    const token = await sandbox.newToken(demo);
    await connectDemo(sandbox.context, sandbox.team, { userId: demo.userId, provider: 'fitbit', traceId: null });
    expect(await ask(demo, 'ann@example.test', null, sandbox, token)).toMatchObject({ errorType: 'invalid_token' });
    expect(await waitingFor(demo)).toEqual([]);
  });

  it('is deleted after 30 days, or when it is declined, the user disconnects or is deleted', async () => {
    const [late, declined, leaver, deleted] = [
      await harness.newUser(),
      await harness.newUser(),
      await harness.newUser(),
      await harness.newUser(),
    ];
    const linkId = await linkIdOf(late);
    clock.advance(monthMs - 1);
    expect(await waitingFor(late)).toHaveLength(1);
    clock.advance(1);
    expect([await refusalOf(confirm(linkId)), await waitingFor(late)]).toEqual(['email_link_not_found', []]);
    expect(await expireEmailLinks(database.current, clock, 1000)).toBeGreaterThan(0);
    expect(await database.current.sql`SELECT 1 FROM email_links WHERE user_id = ${late.userId}`).toHaveLength(0);

    expect(await declineEmailLink(database.current, await linkIdOf(declined))).toBe(true);
    expect(await waitingFor(declined)).toEqual([]);
    await linkIdOf(leaver);
    const reference = { teamId: leaver.teamId, userId: leaver.userId, provider: 'clinic' };
    await deregisterConnection(database.current, { clock }, reference);
    expect(await waitingFor(leaver)).toEqual([]);
    expect(await refusalOf(deregisterConnection(database.current, { clock }, reference))).toBe('connection_not_found');
    const gone = await linkIdOf(deleted);
    await deleteUser(database.current, { clock }, deleted.teamId, deleted.userId);
    expect(await refusalOf(confirm(gone))).toBe('email_link_not_found');
  });

  it('refreshes its tokens as the practice, preferably the team’s own', async () => {
    const now = createManualClock(new Date());
    const own = await createHarness(database.current, { clock: now });
    const credential = { clientId: 'own-practice', clientSecret: 'secret', redirectUrlOverride: null };
    await putOAuthCredential(database.current, own.context, { teamId: own.team.teamId, provider: 'clinic', ...credential });
    const { connectionId } = await confirm(await linkIdOf(await own.newUser(), undefined, own), undefined, own);
    const first = await getAccessToken(own.context, connectionId);
    await database.current.sql`UPDATE connection_tokens SET expires_at = ${now.now().toISOString()} WHERE connection_id = ${connectionId}`;
    expect((await getAccessToken(own.context, connectionId)).accessToken).not.toBe(first.accessToken);
    expect(own.logins.asPractice.map(({ practice }) => practice)).toEqual(['own-practice', 'own-practice']);
  });
});

describe('a team that rejects duplicates', () => {
  it('cannot link a pending or connected address, or the same patient, to a second user', async () => {
    const careful = await createHarness(database.current, { clock });
    await updateTeam(database.current, careful.team.teamId, { rejectDuplicateConnection: true });
    const [first, second, third] = [await careful.newUser(), await careful.newUser(), await careful.newUser()];
    const linkId = await linkIdOf(first, 'ann@example.test', careful);
    expect(await ask(second, 'ANN@example.test', null, careful)).toMatchObject({ errorType: 'duplicate_connection' });
    await confirm(linkId, 'patient-7', careful);
    expect(await ask(second, 'Ann@example.test', null, careful)).toMatchObject({ errorType: 'duplicate_connection' });
    const other = await linkIdOf(third, 'other@example.test', careful);
    expect(await refusalOf(confirm(other, 'patient-7', careful))).toBe('duplicate_connection');
    expect([await connectionsOf(third), (await waitingFor(third)).length]).toEqual([[], 1]);
    // An expired request does not block others.
    await ask(first, 'late@example.test', null, careful);
    clock.advance(monthMs);
    expect(await ask(second, 'late@example.test', null, careful)).toMatchObject({ state: 'success' });
    const both = [await careful.newUser(), await careful.newUser()];
    const outcomes = await Promise.all(both.map((user) => ask(user, 'twin@example.test', null, careful)));
    expect(outcomes.map((outcome) => outcome.state).toSorted()).toEqual(['error', 'success']);
  });
});
