import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completeMfa, forgetLinkSessions, linkWithPassword, type LinkOutcome } from '@pulsewire/connections';
import { createManualClock, isAppError } from '@pulsewire/kernel';
import { useDatabase } from '../../../support/database.ts';
import { providerDown, refusedLogin } from '../fake-logins.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date());
const windowMs = 15 * 60_000;
let harness: Harness;

beforeAll(async () => {
  harness = await createHarness(database.current, { clock });
});
beforeEach(() => {
  harness.logins.next = null;
  // Attempts of earlier tests no longer count.
  clock.advance(windowMs);
});

const newToken = async () => harness.newToken(await harness.newUser());
const login = (token: string, username: string, password: string): Promise<LinkOutcome> =>
  linkWithPassword(harness.context, { token, teamId: null, traceId: null, provider: 'strap', username, password, region: null });
const bring = (token: string, code: string): Promise<LinkOutcome> =>
  completeMfa(harness.context, { token, teamId: null, traceId: null, provider: 'strap', code });

/** The outcome of each attempt: a state, an error type, or the time to wait. */
async function endings(tries: readonly Promise<LinkOutcome>[]): Promise<readonly (string | number | undefined)[]> {
  const settled = await Promise.allSettled(tries);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value.state === 'error' ? one.value.errorType : one.value.state;
    if (!isAppError(one.reason) || one.reason.code !== 'too_many_attempts') throw one.reason as Error;
    return one.reason.retryAfterMs;
  });
}
const count = (ends: readonly unknown[], what: unknown) => ends.filter((end) => end === what).length;

describe('attempts to sign in', () => {
  it('accepts ten of 50 concurrent wrong passwords for one account', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, newToken));
    const before = harness.logins.logins.length;
    // Case and blanks do not make it another account.
    const ends = await endings(tokens.map((token, index) => login(token, index % 2 === 0 ? 'Ann' : ' ann ', 'wrong')));
    expect(count(ends, 'provider_credential_error')).toBe(10);
    expect(count(ends, windowMs)).toBe(40);
    expect(harness.logins.logins.length - before).toBe(10);
  }, 60_000);

  it('rejects the right password too, until fifteen minutes after the first wrong one', async () => {
    const token = await newToken();
    expect(await endings([login(token, 'ann', 'wrong')])).toEqual(['provider_credential_error']);
    clock.advance(60_000);
    for (let tries = 0; tries < 9; tries++) await login(await newToken(), 'ann', 'wrong');
    clock.advance(20_000);
    expect(await endings([login(token, 'ann', 'right')])).toEqual([windowMs - 80_000]);
    clock.advance(windowMs - 80_000);
    expect(await endings([login(token, 'ann', 'right')])).toEqual(['success']);
  });

  it('counts the attempts of one user across accounts', async () => {
    const user = await harness.newUser();
    for (let tries = 0; tries < 20; tries++)
      expect(await endings([login(await harness.newToken(user), `guess-${tries}`, 'x')])).toEqual(['provider_credential_error']);
    expect(await endings([login(await harness.newToken(user), 'ann', 'right')])).toEqual([windowMs]);
    expect(await endings([login(await newToken(), 'ann', 'right')])).toEqual(['success']);
  });

  it('counts neither successful logins nor failures of the provider', async () => {
    const token = await newToken();
    for (let tries = 0; tries < 12; tries++) {
      harness.logins.next = tries % 2 === 0 ? providerDown() : refusedLogin('unsupported_region');
      expect(['provider_api_error', 'unsupported_region']).toContain((await endings([login(token, 'ann', 'right')]))[0]);
    }
    for (let tries = 0; tries < 12; tries++) expect(await endings([login(await newToken(), 'ann', 'right')])).toEqual(['success']);
  });

  it('limits codes and sent messages per account, across its logins', async () => {
    const ends: (string | number | undefined)[] = [];
    for (let logins = 0; logins < 5; logins++) {
      const token = await newToken();
      await login(token, 'bob', 'right');
      for (let tries = 0; tries < 5; tries++) ends.push(...(await endings([bring(token, '000000')])));
    }
    expect(ends.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'incorrect_mfa_code'));
    expect(ends.slice(20)).toEqual(Array.from({ length: 5 }, () => windowMs));
    const more = [];
    for (let logins = 0; logins < 6; logins++) more.push(...(await endings([login(await newToken(), 'bob', 'right')])));
    expect(more).toEqual([...Array.from({ length: 5 }, () => 'pending_provider_mfa'), windowMs]);
  });

  it('stores no user name, and deletes attempts that no longer count', async () => {
    await login(await newToken(), 'a-name-to-be-seen', 'wrong');
    const rows = await database.current.sql<
      { text: string }[]
    >`SELECT encode(key, 'escape') || attempt_id::text AS text FROM login_attempts`;
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ text }) => text).join(' ')).not.toContain('a-name');
    clock.advance(windowMs);
    await forgetLinkSessions(database.current, clock, 10_000);
    expect(await database.current.sql`SELECT 1 FROM login_attempts`).toHaveLength(0);
  });
});
