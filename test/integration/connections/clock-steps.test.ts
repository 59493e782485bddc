import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { completeOAuthLink, getAccessToken, type User } from '@pulsewire/connections';
import { openDatabase, type Database } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';
import { makeClockStep, type SteppingClock } from '../../support/stepping-clock.ts';
import { createHarness, type Harness } from './harness.ts';

const file = useDatabase();
let clock: SteppingClock;
let database: Database;
let harness: Harness;
let user: User;

beforeAll(async () => {
  clock = await makeClockStep(file.url);
  // Only sessions that start from here on use the changed clock.
  database = openDatabase({ url: file.url, connectionsMax: 8 });
  harness = await createHarness(database);
});
afterAll(() => database.close());

beforeEach(async () => {
  user = await harness.newUser();
  harness.provider.refreshes.count = 0;
  harness.provider.moods.length = 0;
});

const expire = (connectionId: string) =>
  database.sql`UPDATE connection_tokens SET expires_at = '2020-01-01' WHERE connection_id = ${connectionId}`;

it('a lease taken while the clock was hours ahead blocks refreshes only as long as one may take', async () => {
  const connectionId = await harness.link(user);
  await expire(connectionId);
  await clock.step('5 hours');
  await database.sql`
    UPDATE connection_tokens SET lease_epoch = lease_epoch + 1, lease_until = clock_timestamp() + interval '30 seconds',
      refresh_sent_at = clock_timestamp() WHERE connection_id = ${connectionId}`;
  await clock.step('-5 hours');
  // The holder may still be running, so the next refresh waits as long as it may need.
  await expect(getAccessToken(harness.context, connectionId, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'token_refresh_pending',
  });
  expect(harness.provider.refreshes.count).toBe(0);
  await clock.step('31 seconds');
  await getAccessToken(harness.context, connectionId);
  expect(harness.provider.refreshes.count).toBe(1);
});

it('a failure recorded while the clock was hours ahead does not delay the next refresh', async () => {
  const connectionId = await harness.link(user);
  await expire(connectionId);
  await clock.step('5 hours');
  harness.provider.moods.push('unavailable');
  await expect(getAccessToken(harness.context, connectionId)).rejects.toMatchObject({ code: 'token_refresh_pending' });
  await clock.step('-5 hours');
  await getAccessToken(harness.context, connectionId);
  expect(harness.provider.refreshes.count).toBe(2);
});

it('a link lock taken while the clock was ahead blocks attempts only as long as one may take', async () => {
  const { token, code } = await harness.prepareLink(user);
  await clock.step('5 hours');
  await database.sql`
    UPDATE link_sessions SET callback_epoch = callback_epoch + 1, callback_until = clock_timestamp() + interval '45 seconds' WHERE user_id = ${user.userId}`;
  await clock.step('-5 hours');
  const isShortened = async () =>
    (
      await database.sql`SELECT 1 FROM link_sessions WHERE user_id = ${user.userId} AND callback_until < clock_timestamp() + interval '10 minutes'`
    ).length;
  const linking = completeOAuthLink(harness.context, { provider: 'fitbit', state: token, code, error: undefined, traceId: null });
  await expect.poll(isShortened, { timeout: 20_000 }).toBe(1);
  await clock.step('121 seconds');
  expect(await linking).toMatchObject({ state: 'success' });
});
