import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, linkThroughApi, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const day = 86_400_000;
let harness: ApiHarness;
let team: Caller;
/** Ids by what is special about the user, newest first. */
const people: Record<string, string> = {};

async function storeNight(userId: string, at: Date): Promise<void> {
  await database.current.sql`
    INSERT INTO summaries (id, team_id, user_id, resource, provider, source, calendar_date, at, data, version, created_at, updated_at)
    VALUES (${randomUUID()}, ${team.team.teamId}, ${userId}, 'sleep', 'fitbit', '{}', ${at.toISOString().slice(0, 10)}, ${at.toISOString()}, '{}', 1, now(), now())`;
}

const list = async (query = '', caller = team) => (await caller.call('GET', `/v2/user${query}`)).body;
const names = (body: { users: { client_user_id: string }[] }) => body.users.map((user) => user.client_user_id);
const now = () => harness.clock.now().getTime();
const since = (ms: number) => `no_data_since=${encodeURIComponent(new Date(ms).toISOString())}`;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  team = await harness.newCaller();
  for (const name of ['fresh', 'stale', 'broken', 'unconnected']) {
    harness.clock.advance(10);
    people[name] = (await team.call('POST', '/v2/user', { client_user_id: name })).body.user_id;
    if (name !== 'unconnected') await linkThroughApi(harness, team, people[name] as string);
  }
  harness.clock.advance(30 * day);
  const { sql } = database.current;
  await storeNight(people['fresh'] as string, new Date(now() - day));
  await storeNight(people['stale'] as string, new Date(now() - 20 * day));
  await sql`UPDATE connections SET status = 'error', error_type = 'token_refresh_failed', error_message = 'Refused', errored_at = ${harness.clock.now().toISOString()}
    WHERE user_id = ${people['broken'] as string}`;
});
afterAll(() => harness.close());

describe('GET /v2/user', () => {
  it('shows the state of each connection, its newest data and why it stopped', async () => {
    const { users } = await list();
    const [broken, stale] = [users[1], users[2]];
    expect(broken.connected_sources[0]).toMatchObject({
      status: 'error',
      last_data_at: null,
      error_details: { error_type: 'token_refresh_failed', error_message: 'Refused' },
    });
    expect(stale.connected_sources[0]).toMatchObject({ status: 'connected', error_details: null });
    expect(Date.parse(stale.connected_sources[0].last_data_at)).toBe(now() - 20 * day);
  });

  it('finds users by provider, state and the start of id or reference, each with its total', async () => {
    expect(names(await list('?status=error'))).toEqual(['broken']);
    expect(names(await list('?status=none'))).toEqual(['unconnected']);
    expect(names(await list('?status=connected&provider=fitbit'))).toEqual(['stale', 'fresh']);
    expect(names(await list('?provider=garmin'))).toEqual([]);
    expect(names(await list('?status=none&provider=garmin'))).toHaveLength(4);
    expect(names(await list('?query=st'))).toEqual(['stale']);
    expect(names(await list(`?query=${people['broken']}`))).toEqual(['broken']);
    expect((await list('?status=connected&limit=1')).total).toBe(2);
  });

  it('finds users from whose connection nothing newer has arrived', async () => {
    expect(names(await list(`?${since(now() - 10 * day)}`))).toEqual(['broken', 'stale']);
    expect(names(await list(`?${since(now() - 10 * day)}&status=connected`))).toEqual(['stale']);
    expect(names(await list(`?${since(now() - 25 * day)}`))).toEqual(['broken']);
    // The connections did not exist yet.
    expect(names(await list(`?${since(now() - 40 * day)}`))).toEqual([]);
  });

  it('pages by a cursor without repeating or leaving out users, also those created at one instant', async () => {
    await database.current
      .sql`UPDATE users SET created_at = '2026-01-01T00:00:00.000123Z' WHERE team_id = ${team.team.teamId} AND client_user_id <> 'fresh'`;
    for (const filter of ['', `&${since(now() - 10 * day)}`]) {
      const all = names(await list(`?limit=100${filter}`));
      const seen: string[] = [];
      for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 9; pages += 1) {
        const page = await list(`?limit=1${filter}${cursor === '' ? '' : `&next_cursor=${cursor}`}`);
        seen.push(...names(page));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(all);
      expect(all.length).toBeGreaterThan(1);
    }
  });

  it('refuses the cursor of other filters or of another team, and an offset beside a cursor', async () => {
    const { next_cursor: cursor } = await list('?limit=1');
    const other = await harness.newCaller();
    const refused = [
      await team.call('GET', `/v2/user?limit=1&status=connected&next_cursor=${cursor}`),
      await other.call('GET', `/v2/user?limit=1&next_cursor=${cursor}`),
      await team.call('GET', `/v2/user?limit=1&offset=1&next_cursor=${cursor}`),
      await team.call('GET', `/v2/user?status=none&${since(now())}`),
      await team.call('GET', '/v2/user?status=broken'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
    expect(names(await list('?status=error', other))).toEqual([]);
  });
});
