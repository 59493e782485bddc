import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getAccessToken, linkWithPassword, listConnections, type User } from '@pulsewire/connections';
import type { RefreshOutcome } from '@pulsewire/providers';
import { useDatabase } from '../../support/database.ts';
import { createHarness, type Harness } from './harness.ts';

const database = useDatabase();
let harness: Harness;
let user: User;
let connectionId: string;

beforeAll(async () => {
  harness = await createHarness(database.current);
});

beforeEach(async () => {
  harness.logins.nextRenewals.length = 0;
  user = await harness.newUser();
  const token = await harness.newToken(user);
  await linkWithPassword(harness.context, {
    token,
    teamId: null,
    provider: 'strap',
    username: 'ann',
    password: 'right',
    region: null,
    traceId: null,
  });
  connectionId = (await connection())?.connectionId ?? '';
  await database.current.sql`UPDATE connection_tokens SET expires_at = now() WHERE connection_id = ${connectionId}`;
});

const connection = async () => (await listConnections(database.current, user.teamId, [user.userId]))[0];
const errorEvents = () =>
  database.current.sql`SELECT 1 FROM log_events WHERE event_type = 'provider.connection.error' AND user_id = ${user.userId}`;

const refused: RefreshOutcome = { outcome: 'refused', errorType: 'provider_credential_error', isFinal: false };
const unclear: RefreshOutcome = { outcome: 'unclear', retryable: true, reason: 'http_403' };

/** One refresh, due now: its outcome, and the delay before the next one. */
async function renew(response?: RefreshOutcome): Promise<{ readonly code: string; readonly waitMs: number }> {
  await database.current.sql`UPDATE connection_tokens SET next_refresh_at = NULL WHERE connection_id = ${connectionId}`;
  if (response) harness.logins.nextRenewals.push(response);
  try {
    await getAccessToken(harness.context, connectionId);
    return { code: 'renewed', waitMs: 0 };
  } catch (error) {
    const { code, retryAfterMs = 0 } = error as { code: string; retryAfterMs?: number };
    return { code, waitMs: retryAfterMs };
  }
}

const minutes = (ms: number) => Math.round(ms / 60_000);

describe('a login with stored credentials', () => {
  it('is repeated after one and five minutes, and ends the connection with the third rejection', async () => {
    const [first, second, third] = [await renew(refused), await renew(refused), await renew(refused)];
    expect([first.code, second.code, third.code]).toEqual(['token_refresh_pending', 'token_refresh_pending', 'provider_consent_revoked']);
    expect(minutes(first.waitMs)).toBe(1);
    expect(second.waitMs).toBeGreaterThanOrEqual(4 * 60_000);
    expect(await connection()).toMatchObject({ status: 'error', error: { errorType: 'provider_credential_error' } });
    expect(await errorEvents()).toHaveLength(1);
  });

  it('shows no error while it may still succeed, and resets its count after success', async () => {
    await renew(refused);
    await renew(refused);
    expect(await connection()).toMatchObject({ status: 'connected', error: null });
    expect((await renew()).code).toBe('renewed');
    await database.current.sql`UPDATE connection_tokens SET expires_at = now() WHERE connection_id = ${connectionId}`;
    expect((await renew(refused)).code).toBe('token_refresh_pending');
    expect(await connection()).toMatchObject({ status: 'connected', error: null });
  });

  it('never ends the connection for an outage or a bot check, and is repeated with growing delays', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) waits.push((await renew(unclear)).waitMs);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(48 * 60_000);
    expect(await connection()).toMatchObject({ status: 'connected', error: null });
    expect(await errorEvents()).toHaveLength(0);
  });

  it('ends the connection immediately, with the reason, when only the user can fix it', async () => {
    await renew({ outcome: 'refused', errorType: 'provider_password_expired', isFinal: true });
    expect(await connection()).toMatchObject({ status: 'error', error: { errorType: 'provider_password_expired' } });
  });
});

describe('a refresh token of a password provider', () => {
  it('is not given up for a rejection after a rotation whose response was lost', async () => {
    await renew(unclear);
    for (let i = 0; i < 4; i++) expect((await renew({ outcome: 'revoked' })).code).toBe('token_refresh_pending');
    expect(await connection()).toMatchObject({ status: 'connected', error: null });
  });

  it('ends the connection when the provider rejects one that was not used before', async () => {
    expect((await renew({ outcome: 'revoked' })).code).toBe('provider_consent_revoked');
    expect(await connection()).toMatchObject({ status: 'error', error: { errorType: 'token_refresh_failed' } });
  });
});
