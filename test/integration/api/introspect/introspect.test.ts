import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIngest } from '@pulsewire/ingest';
import { providerError } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, eventsOf, type Harness, type Linked } from '../../ingest/support/harness.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
let api: ApiHarness;
let team: Caller;
let done: Linked;

beforeAll(async () => {
  harness = await createHarness(database.current);
  api = await createApiHarness(database.current, { connectors: [harness.wristband.connector], overrides: { clock: harness.clock } });
  team = await api.newCaller();
  done = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
  await createIngest(harness.options).drain();
});
afterAll(async () => {
  await api.close();
  await harness.close();
});

const resources = async (query = '', caller = team) => (await caller.call('GET', `/v2/introspect/resources${query}`)).body;
const pulls = async (query = '', caller = team) => (await caller.call('GET', `/v2/introspect/historical_pull${query}`)).body;
const wristbandOf = (body: { data: { user_id: string; provider: Record<string, unknown> }[] }, userId: string) =>
  body.data.find((row) => row.user_id === userId)?.provider['wristband'] as ReturnType<JSON['parse']>;

/** A user whose history fails as `onCall` determines. */
async function linkFailing(onCall: (day: string) => void): Promise<Linked> {
  const linked = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
  harness.wristband.onCall = ({ day }) => onCall(day);
  await createIngest(harness.options).drain();
  harness.wristband.onCall = () => {};
  return linked;
}

describe('GET /v2/introspect/resources', () => {
  it('shows when a resource was last pulled, the outcome, and the range of its data', async () => {
    expect(wristbandOf(await resources(), done.userId)).toMatchObject({
      steps: {
        last_attempt: { timestamp: '2026-03-20T09:00:00+00:00', status: 'success' },
        oldest_data: '2026-03-10T00:00:00+00:00',
        newest_data: '2026-03-20T02:00:00+00:00',
        sent_count: 33,
      },
    });
  });

  it('counts stored summaries, including data of providers that are not pulled', async () => {
    const userId = (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id;
    for (const day of ['2026-01-01', '2026-01-03'])
      await database.current.sql`
        INSERT INTO summaries (id, team_id, user_id, resource, provider, source, calendar_date, at, data, version, created_at, updated_at)
        VALUES (gen_random_uuid(), ${team.team.teamId}, ${userId}, 'sleep', 'fitbit', '{}', ${day}, ${day}, '{}', 1, now(), now())`;
    const { data } = await resources(`?user_id=${userId}`);
    expect(data).toEqual([
      {
        user_id: userId,
        provider: {
          fitbit: {
            sleep: {
              last_attempt: null,
              oldest_data: '2026-01-01T00:00:00+00:00',
              newest_data: '2026-01-03T00:00:00+00:00',
              sent_count: 2,
            },
          },
        },
      },
    ]);
  });

  it('counts created samples once, even when they are later removed or revised', async () => {
    const linked = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
    await createIngest(harness.options).drain();
    const before = wristbandOf(await resources(), linked.userId).steps.sent_count;
    const { sql } = database.current;
    expect(
      await sql`SELECT count(*)::int AS stored FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
      WHERE user_id = ${linked.userId} AND resource = 'steps'`,
    ).toEqual([{ stored: before }]);
    await sql`DELETE FROM samples USING sources o WHERE samples.user_source_id = o.user_source_id AND o.user_id = ${linked.userId}
      AND ts < '2026-03-20'`;
    expect(wristbandOf(await resources(), linked.userId).steps.sent_count).toBe(before);
  });

  it('reports a failed attempt', async () => {
    const { userId } = await linkFailing(() => {
      throw providerError('provider_permanent', {});
    });
    expect(wristbandOf(await resources(), userId)).toMatchObject({ steps: { last_attempt: { status: 'failure' }, oldest_data: null } });
  });
});

describe('GET /v2/introspect/historical_pull', () => {
  it('shows range, times and days of a complete history, and names what was not pulled', async () => {
    expect(wristbandOf(await pulls(), done.userId)).toMatchObject({
      pulled: {
        steps: {
          status: 'success',
          range_start: '2026-03-10T00:00:00+00:00',
          range_end: '2026-03-20T09:00:00+00:00',
          timeline: { scheduled_at: '2026-03-20T09:00:00+00:00', started_at: expect.any(String), ended_at: expect.any(String) },
          days_with_data: 10,
          windows_given_up: 0,
          trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          error_details: null,
        },
      },
      not_pulled: expect.arrayContaining(['weight']),
    });
  });

  it('is scheduled before its first call, and retrying after a temporary failure', async () => {
    const linked = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
    expect(wristbandOf(await pulls(), linked.userId)).toMatchObject({
      pulled: { steps: { status: 'scheduled', trace_id: null, timeline: { started_at: null, ended_at: null } } },
    });
    harness.wristband.onCall = () => {
      throw providerError('provider_transient', {});
    };
    await createIngest(harness.options).drain();
    harness.wristband.onCall = () => {};
    expect(wristbandOf(await pulls(), linked.userId)).toMatchObject({
      pulled: { steps: { status: 'retrying', error_details: 'provider_unavailable' } },
    });
  });

  it('has failed when parts were given up, which its only completed event names', async () => {
    const { userId } = await linkFailing((day) => {
      if (day < '2026-03-14') throw providerError('provider_permanent', {});
    });
    const { pulled } = wristbandOf(await pulls(), userId);
    expect(pulled.steps).toMatchObject({ status: 'failure', error_details: 'non_retriable_error' });
    const events = await eventsOf(database.current, userId, 'historical.data.steps.created');
    expect(events).toHaveLength(1);
    const { gaps } = JSON.parse(events[0]?.json ?? '{}');
    expect(gaps).toHaveLength(pulled.steps.windows_given_up);
    expect(gaps[0]).toMatchObject({ start_date: '2026-03-10', error_code: 'provider_permanent' });
  });
});

describe('GET /v2/user/providers/{user_id}', () => {
  const progressOf = async (userId: string) => (await team.call('GET', `/v2/user/providers/${userId}`)).body.providers[0].historical_pull;

  it('shows the progress of a connection’s history, from scheduled to complete', async () => {
    const linked = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
    const scheduled = await progressOf(linked.userId);
    expect(scheduled).toMatchObject({ status: 'scheduled', ended_at: null, resources_ended: 0, windows_ended: 0, windows_given_up: 0 });
    await createIngest(harness.options).drain();
    expect(await progressOf(linked.userId)).toEqual({
      ...scheduled,
      status: 'success',
      ended_at: '2026-03-20T09:00:00+00:00',
      resources_ended: scheduled.resources_total,
      windows_ended: scheduled.windows_total,
    });
  });

  it('counts the abandoned parts of a history', async () => {
    const { userId } = await linkFailing((day) => {
      if (day < '2026-03-14') throw providerError('provider_permanent', {});
    });
    const { status, windows_total: total, windows_ended: ended, windows_given_up: givenUp } = await progressOf(userId);
    expect([status, ended]).toEqual(['failure', total]);
    expect(givenUp).toBeGreaterThan(0);
    expect(givenUp).toBeLessThan(total);
  });

  it('is null if no history was requested', async () => {
    const linked = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
    await database.current.sql`DELETE FROM historical_pulls WHERE connection_id = ${linked.connectionId}`;
    expect(await progressOf(linked.userId)).toBeNull();
  });
});

describe.each(['/v2/introspect/resources', '/v2/introspect/historical_pull'])('the pages of %s', (path) => {
  const read = async (query: string, caller = team) => caller.call('GET', `${path}${query}`);

  it('list every user once, in the order of their ids', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { user_id: string }[]; next_cursor: string | null; next: string | null } = (
        await read(`?user_limit=2${cursor === null ? '' : `&next_cursor=${cursor}`}`)
      ).body;
      seen.push(...page.data.map((row) => row.user_id));
      expect(page.next).toBe(page.next_cursor);
      cursor = page.next_cursor;
    } while (cursor !== null);
    const all = await database.current.sql<{ user_id: string }[]>`
      SELECT user_id FROM users WHERE team_id = ${team.team.teamId} AND deleted_at IS NULL ORDER BY user_id`;
    expect(seen).toEqual(all.map((row) => row.user_id));
  });

  it('accept the deprecated cursor parameter, and reject a cursor of another filter', async () => {
    const { next_cursor: cursor } = (await read('?user_limit=1')).body;
    expect((await read(`?user_limit=1&cursor=${cursor}`)).status).toBe(200);
    expect((await read(`?user_limit=1&provider=wristband&next_cursor=${cursor}`)).status).toBe(422);
    expect((await read('?next_cursor=forged')).body.detail[0].loc).toEqual(['query', 'next_cursor']);
  });

  it('filter by user and provider, and omit other teams and deleted users', async () => {
    const filtered = (await read(`?user_id=${done.userId}&provider=fitbit`)).body;
    expect(filtered.data).toEqual([{ user_id: done.userId, provider: {} }]);
    const other = await api.newCaller();
    expect((await read(`?user_id=${done.userId}`, other)).body.data).toEqual([]);
    const gone = (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id;
    await team.call('DELETE', `/v2/user/${gone}`);
    expect((await read(`?user_id=${gone}`)).body.data).toEqual([]);
  });

  it.each(['?user_limit=0', '?user_limit=101', '?user_id=nobody'])('introspection refuses the query %s', async (query) => {
    expect((await read(query)).status).toBe(422);
  });
});
