import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { createPhoneHarness } from '../sdk/phone-harness.ts';
import type { Caller, Reply } from '../support/harness.ts';

const database = useDatabase();
/** The pool of a small process. */
let pool: Database;
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;
let other: Caller;

beforeAll(async () => {
  pool = openDatabase({ url: database.current.url, connectionsMax: 5, name: 'turns' });
  harness = await createPhoneHarness(pool);
  [caller, other] = [await harness.newCaller(), await harness.newCaller()];
});
afterAll(async () => {
  await harness.close();
  await pool.close();
});

const lockWaits = async () => {
  const [row] = await database.current.sql<{ count: number }[]>`
    SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'turns' AND wait_event_type = 'Lock'`;
  return row?.count ?? 0;
};

/** Sends a request forty times while a row that it needs, or without a user the table, is locked; meanwhile another team must be served. */
async function crowd(table: 'users' | 'phone_sessions', userId: string | null, send: () => Promise<Reply>): Promise<readonly number[]> {
  const { sent } = await database.current.transaction(async (tx) => {
    if (userId === null) await tx.sql`LOCK TABLE ${tx.sql(table)} IN ACCESS EXCLUSIVE MODE`;
    else await tx.sql`SELECT FROM ${tx.sql(table)} WHERE user_id = ${userId} FOR UPDATE`;
    const all = Array.from({ length: 40 }, send);
    await expect.poll(lockWaits).toBeGreaterThan(0);
    for (let i = 0; i < 20; i += 1) expect((await other.call('GET', '/v2/user')).status).toBe(200);
    return { sent: Promise.all(all) };
  });
  return [...new Set((await sent).map(({ status }) => status))].toSorted((a, b) => a - b);
}

const newUser = async () => (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;

describe('forty requests that wait for the same lock leave connections to another team', () => {
  it.each([['connections'], ['sync']])('if a phone sends them to %s', { timeout: 30_000 }, async (path) => {
    const { userId, token, sync } = await harness.newPhone(caller);
    const signOut = () =>
      harness.bare('DELETE', `/api/v1/users/${userId}/connections/apple`, undefined, { authorization: `Bearer ${token}` });
    const statuses = await crowd('users', userId, path === 'sync' ? () => sync('apple', {}) : signOut);
    expect(statuses).toEqual(path === 'sync' ? [202, 503] : [204]);
  });

  it.each([['refresh'], ['revoke']])('if a phone sends them to token/%s', { timeout: 30_000 }, async (path) => {
    const { userId, refreshToken } = await harness.newPhone(caller);
    const statuses = await crowd('phone_sessions', userId, () =>
      harness.bare('POST', `/api/v1/token/${path}`, { refresh_token: refreshToken }),
    );
    expect(statuses).toEqual(path === 'refresh' ? [200] : [204, 404]);
  });

  it.each([['refresh'], ['revoke']])('if each presents another invented token to token/%s', { timeout: 30_000 }, async (path) => {
    const statuses = await crowd('phone_sessions', null, () =>
      harness.bare('POST', `/api/v1/token/${path}`, { refresh_token: `prt_${randomUUID()}` }),
    );
    expect(statuses).toEqual([path === 'refresh' ? 401 : 404]);
  });

  it('if a key uploads reports of one user', { timeout: 30_000 }, async () => {
    const userId = await newUser();
    const part = (name: string, value: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="r.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.4\r\n';
    const body = `${part('user_id', userId)}${file}--b--\r\n`;
    const statuses = await crowd('users', userId, () =>
      caller.call('POST', '/lab_report/v1/parser/job', body, { 'content-type': 'multipart/form-data; boundary=b' }),
    );
    expect(statuses).toEqual([200]);
  });
});
