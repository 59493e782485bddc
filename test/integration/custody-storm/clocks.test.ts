import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createManualClock, systemClock } from '@pulsewire/kernel';
import { getAccessToken } from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from '../connections/harness.ts';

const database = useDatabase();
const hourMs = 3_600_000;
let harness: Harness;
let connectionId: string;

beforeAll(async () => {
  harness = await createHarness(database.current);
});
beforeEach(async () => {
  connectionId = await harness.link(await harness.newUser());
  harness.provider.refreshes.count = 0;
});

const withClock = (aheadMs: number) => ({ ...harness.context, clock: createManualClock(new Date(systemClock.now().getTime() + aheadMs)) });
const set = (spans: { readonly expiresIn: string; readonly nextTryIn: string }) => database.current.sql`
  UPDATE connection_tokens SET expires_at = now() + ${spans.expiresIn}::interval, next_refresh_at = now() + ${spans.nextTryIn}::interval
  WHERE connection_id = ${connectionId}`;

it('a process whose clock is ahead reports the next attempt at once, without a request or a wait', async () => {
  await set({ expiresIn: '-1 hour', nextTryIn: '10 minutes' });
  const failure = await getAccessToken(withClock(hourMs), connectionId).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'token_refresh_pending' });
  expect((failure as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(9 * 60_000);
  expect(harness.provider.refreshes.count).toBe(0);
});

it('a process whose clock is behind refreshes when the refresh is due by the database clock', async () => {
  await set({ expiresIn: '-3 hours', nextTryIn: '-1 second' });
  await getAccessToken(withClock(-hourMs), connectionId);
  expect(harness.provider.refreshes.count).toBe(1);
});

it('a pair unclear for one minute is not given up by a process whose clock is days ahead', async () => {
  await set({ expiresIn: '-10 days', nextTryIn: '-1 second' });
  await database.current.sql`
    UPDATE connection_tokens SET refresh_sent_at = now(), unclear_since = now() - interval '1 minute', refusals = 20 WHERE connection_id = ${connectionId}`;
  harness.provider.moods.push('invalid_grant');
  await expect(getAccessToken(withClock(48 * hourMs), connectionId)).rejects.toMatchObject({ code: 'token_refresh_pending' });
});
