import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import {
  createUser,
  deregisterConnection,
  getAccessToken,
  listConnections,
  markConnectionError,
  pausePastIngestionEnd,
  processDeregistrations,
  updateUser,
  type User,
} from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './harness.ts';

const database = useDatabase();
const hourMs = 3_600_000;
let clock: ReturnType<typeof createManualClock>;
let harness: Harness;
let user: User;
let connectionId: string;

const newUser = (clientUserId: string, ingestionEnd: string | null) =>
  createUser(database.current, harness.team, { clientUserId, ingestionEnd }, { clock, sandboxUsersMax: 50 });

beforeEach(async () => {
  await database.current.sql`TRUNCATE users, connections, connection_handovers, resource_handovers, connection_tokens, deregistrations`;
  clock = createManualClock(new Date('2026-03-20T00:00:00Z'));
  harness = await createHarness(database.current, { clock });
  user = await newUser('ended', '2026-03-20');
  connectionId = await harness.link(user, 'ENDED');
});

const pause = (context: object = {}) => pausePastIngestionEnd({ database: database.current, clock, ...context }, 10);
const settle = () => processDeregistrations(harness.context, { limit: 10, signal: AbortSignal.timeout(5000) });
const connection = async (of = user) => (await listConnections(database.current, of.teamId, [of.userId]))[0];
// The 27th is the last day of catch-up; in UTC-12 it ends at noon of the 28th.
const catchUpEndMs = 8 * 24 * hourMs + 12 * hourMs;

describe('pausePastIngestionEnd', () => {
  it('waits seven days for late data in every zone, then pauses once', async () => {
    clock.advance(catchUpEndMs - 1);
    expect(await pause()).toEqual({ connections: 0, next: null, errors: [] });
    clock.advance(1);
    expect(await pause()).toEqual({ connections: 1, next: null, errors: [] });
    expect(await pause()).toEqual({ connections: 0, next: null, errors: [] });
    expect(await connection()).toMatchObject({ connectionId, status: 'paused' });
  });

  it('deletes the tokens, revokes them at the provider and notifies the planner', async () => {
    clock.advance(catchUpEndMs);
    const dropped: string[] = [];
    await pause({ onPaused: async (_tx: unknown, gone: { connectionId: string }) => void dropped.push(gone.connectionId) });
    expect(dropped).toEqual([connectionId]);
    await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'connection_not_found' });
    await settle();
    expect(harness.provider.revoked).toEqual([expect.stringContaining('refresh-ENDED')]);
  });

  it('changes nothing when the planner fails', async () => {
    clock.advance(catchUpEndMs);
    expect((await pause({ onPaused: () => Promise.reject(new Error('no plan')) })).errors).toEqual([new Error('no plan')]);
    expect(await connection()).toMatchObject({ status: 'connected' });
    expect(await database.current.sql`SELECT 1 FROM deregistrations`).toHaveLength(0);
    await expect(getAccessToken(harness.context, connectionId)).resolves.toBeDefined();
  });

  it('ignores users without an ingestion end, and those whose end was moved', async () => {
    const endless = await newUser('endless', null);
    await harness.link(endless);
    await updateUser(database.current, clock, user.teamId, user.userId, { ingestionEnd: '2026-06-30' });
    clock.advance(catchUpEndMs);
    expect(await pause()).toEqual({ connections: 0, next: null, errors: [] });
    expect([(await connection())?.status, (await connection(endless))?.status]).toEqual(['connected', 'connected']);
  });

  it('is not undone by moving the end, only by linking again, and may happen again', async () => {
    clock.advance(catchUpEndMs);
    await pause();
    await updateUser(database.current, clock, user.teamId, user.userId, { ingestionEnd: null });
    expect((await connection())?.status).toBe('paused');
    expect(await harness.link(user, 'ENDED')).toBe(connectionId);
    expect((await connection())?.status).toBe('connected');
    await updateUser(database.current, clock, user.teamId, user.userId, { ingestionEnd: '2026-03-01' });
    // The deregistration of the first pause is still queued.
    expect(await pause()).toEqual({ connections: 1, next: null, errors: [] });
    await settle();
    expect(harness.provider.revoked).toHaveLength(1);
  });

  it('ignores the provider’s notice of the revocation, and can still be deregistered', async () => {
    clock.advance(catchUpEndMs);
    await pause();
    const failure = { errorType: 'deregistered_per_provider', message: 'The user withdrew the consent' } as const;
    expect(await markConnectionError(harness.context, connectionId, failure)).toBe(false);
    expect((await connection())?.status).toBe('paused');
    await deregisterConnection(database.current, harness.context, { teamId: user.teamId, userId: user.userId, provider: 'fitbit' });
    expect(await connection()).toBeUndefined();
    await settle();
    expect(harness.provider.revoked).toHaveLength(1);
  });
});
