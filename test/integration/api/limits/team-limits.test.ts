import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

/** Sends fifty concurrent requests and counts the responses by status. */
async function fifty(call: () => ReturnType<Caller['call']>): Promise<Record<number, number>> {
  const replies = await Promise.all(Array.from({ length: 50 }, call));
  return Object.fromEntries(
    [...new Set(replies.map(({ status }) => status))].map((status) => [status, replies.filter((one) => one.status === status).length]),
  );
}

describe('a team', () => {
  it('never has more than 100 webhook endpoints, even when it creates many concurrently', async () => {
    const create = () => caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' });
    expect(await fifty(create)).toEqual({ 200: 50 });
    await create();
    expect(await fifty(create)).toEqual({ 200: 49, 409: 1 });
    expect((await create()).body.detail).toContain('100 webhook endpoints');
    const other = await harness.newCaller();
    expect((await other.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).status).toBe(200);
  });

  it('never has more than 200 API keys, even when it creates many concurrently', async () => {
    const { sql } = database.current;
    await sql`INSERT INTO api_keys (key_id, team_id, key_hash, label, created_at)
      SELECT gen_random_uuid(), ${caller.team.teamId}, sha256(n::text::bytea), 'filler', now() FROM generate_series(1, 189) n`;
    const create = () => caller.call('POST', '/v2/team/api_key', { label: 'x' });
    expect(await fifty(create)).toEqual({ 200: 10, 409: 40 });
    expect((await create()).body.detail).toContain('200 API keys');
  });

  it('has a limit of valid link tokens per user and in total; beyond it, 429 with Retry-After', async () => {
    const newUser = async () => (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;
    const [userId, otherId] = [await newUser(), await newUser()];
    const create = (id: string) => caller.call('POST', '/v2/link/token', { user_id: id });
    await Promise.all(Array.from({ length: 25 }, () => create(userId)));
    expect(await fifty(() => create(userId))).toEqual({ 200: 25, 429: 25 });
    const refused = await create(userId);
    expect([refused.body.detail, refused.headers['retry-after']]).toEqual([expect.stringContaining('50 valid link tokens'), '60']);
    const { sql } = database.current;
    await sql`INSERT INTO link_sessions (session_id, team_id, user_id, state, created_at, expires_at)
      SELECT gen_random_uuid(), ${caller.team.teamId}, ${await newUser()}, 'open', now(), now() + interval '1 hour' FROM generate_series(1, 19925)`;
    expect(await fifty(() => create(otherId))).toEqual({ 200: 25, 429: 25 });
    expect((await create(await newUser())).body.detail).toContain('A team may have 20000 valid link tokens');
    harness.clock.advance(2 * 3_600_000);
    expect((await create(userId)).status).toBe(200);
  });
});
