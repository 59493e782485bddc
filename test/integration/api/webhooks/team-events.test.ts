import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '@pulsewire/kernel';
import { eraseUserEvents, firstShardCount, jsonEvent, newGeneration, reshard, shardOf, withEvents } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import { backdate, commitEvents, failing, messageId, stepsCreated } from '../support/webhook-facts.ts';

const database = useDatabase();
let harness: ApiHarness;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
});
afterAll(() => harness.close());

interface Item {
  readonly message_id: string;
  readonly sequence: number;
  readonly body: { readonly user_id?: string; readonly event_type: string; readonly data: { readonly number: number } };
}

/** Reads every page. */
async function readAll(caller: Caller, query = ''): Promise<{ items: Item[]; position: string; pages: number }> {
  const items: Item[] = [];
  let cursor = '';
  for (let pages = 1; ; pages++) {
    const { status, body } = await caller.call('GET', `/v2/team/events?${query}${cursor}`);
    expect([status, body.detail]).toEqual([200, undefined]);
    items.push(...body.data);
    if (body.next_cursor === null) return { items, position: body.position, pages };
    expect(pages).toBeLessThan(500);
    cursor = `&next_cursor=${body.next_cursor}`;
  }
}

describe('reading events instead of receiving them', () => {
  it('returns every event once, with the id and bytes of its webhook, in log order for each user', async () => {
    const caller = await harness.newCaller();
    const { teamId } = caller.team;
    const users = [uuidv7(), uuidv7(), uuidv7()] as const;
    const events = [];
    for (let round = 0; round < 7; round++)
      for (const userId of users)
        events.push(...(await commitEvents(database.current, teamId, 2, { userId, data: { number: round, text: 'ü "' } })));
    const { items } = await readAll(caller, 'limit=4');
    expect(items.map((item) => item.message_id).toSorted()).toEqual(events.map(messageId).toSorted());
    for (const userId of users) {
      const own = items.filter((item) => item.body.user_id === userId);
      expect(own.map((item) => item.message_id)).toEqual(events.filter((event) => event.userId === userId).map(messageId));
      expect(own.map((item) => item.sequence)).toEqual(own.map((item) => item.sequence).toSorted((a, b) => a - b));
    }
    const { text } = await caller.call('GET', '/v2/team/events');
    const data = '{"number":0,"text":"ü \\"","n":1.0}'.replace(',"n":1.0', '');
    expect(text).toContain(
      `"body":{"event_type":"daily.data.sleep.created","data":${data},"team_id":"${teamId}","user_id":"${users[0]}","client_user_id":"someone"}`,
    );
  });

  it('embeds the stored text of a body without reformatting its numbers', async () => {
    const caller = await harness.newCaller();
    const event = {
      ...jsonEvent({ eventType: 'daily.data.sleep.created', teamId: caller.team.teamId, userId: uuidv7(), clientUserId: 'x', data: {} }),
    };
    await withEvents(database.current, async (_tx, emit) => emit({ ...event, body: { kind: 'json', json: '{"share":1.50,"big":1e2}' } }));
    expect((await caller.call('GET', '/v2/team/events')).text).toContain('"data":{"share":1.50,"big":1e2}');
    expect((await caller.call('GET', `/v2/team/message/${messageId(event)}`)).text).toContain('"data":{"share":1.50,"big":1e2}');
  });

  it('resumes from its position with everything committed since, even if backdated', async () => {
    const caller = await harness.newCaller();
    const { teamId } = caller.team;
    await commitEvents(database.current, teamId, 5);
    const first = await readAll(caller);
    expect(first.items).toHaveLength(5);
    const resume = async () => (await caller.call('GET', `/v2/team/events?next_cursor=${first.position}`)).body.data as Item[];
    expect(await resume()).toEqual([]);
    const late = await commitEvents(database.current, teamId, 3);
    // They are older than the events of the page: a cursor by time would miss them.
    await backdate(database.current, late, new Date(Date.now() - 3_600_000));
    expect((await resume()).map((item) => item.message_id).toSorted()).toEqual(late.map(messageId).toSorted());
  });

  it('filters by type, user and time', async () => {
    const caller = await harness.newCaller();
    const { teamId } = caller.team;
    const userId = uuidv7();
    const old = await commitEvents(database.current, teamId, 4);
    await backdate(database.current, old, new Date('2026-03-01T10:00:00Z'));
    const steps = await commitEvents(database.current, teamId, 3, { eventType: stepsCreated });
    const own = await commitEvents(database.current, teamId, 2, { userId });
    const ids = async (query: string) => (await readAll(caller, query)).items.map((item) => item.message_id).toSorted();
    const of = (...lists: readonly (readonly { eventId: string }[])[]) => lists.flat().map(messageId).toSorted();
    expect(await ids(`event_types=${stepsCreated}&limit=2`)).toEqual(of(steps));
    expect(await ids(`event_types=${stepsCreated}&event_types=daily.data.sleep.created`)).toEqual(of(old, steps, own));
    expect(await ids(`user_id=${userId}&limit=1`)).toEqual(of(own));
    expect(await ids(`user_id=${uuidv7()}`)).toEqual([]);
    expect(await ids(`since=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual(of(steps, own));
    expect(await ids('since=2030-01-01T00:00:00Z')).toEqual([]);
  });

  it('returns what an unfiltered endpoint receives: no operational events, history by team setting', async () => {
    const caller = await harness.newCaller();
    const { teamId } = caller.team;
    const nobody = { userId: null, clientUserId: null };
    await commitEvents(database.current, teamId, 1, { eventType: 'endpoint.failing', ...nobody });
    await commitEvents(database.current, teamId, 1, { origin: 'historical' });
    const [live] = await commitEvents(database.current, teamId, 1);
    expect((await readAll(caller)).items).toHaveLength(2);
    await database.current.sql`UPDATE teams SET push_historical_data = false WHERE team_id = ${teamId}`;
    expect((await readAll(caller)).items.map((item) => item.message_id)).toEqual([messageId(live as { eventId: string })]);
    const named = (await readAll(caller, 'event_types=endpoint.failing')).items;
    expect(named.map((item) => [item.body.event_type, item.body.user_id])).toEqual([['endpoint.failing', undefined]]);
  });

  it('returns the bodies and derived messages of the team’s pinned contract date', async () => {
    const caller = await harness.newCaller();
    const { teamId } = caller.team;
    await database.current.sql`UPDATE teams SET contract_date = '2024-01-01' WHERE team_id = ${teamId}`;
    const data = { user_id: 'u', provider: 'fitbit' };
    await commitEvents(database.current, teamId, 1, { eventType: 'historical.data.sleep_cycle.created', data });
    const { items } = await readAll(caller);
    expect(items.map((item) => item.body.event_type)).toEqual([
      'historical.data.sleep_cycle.created',
      'historical.timeseries.hypnogram.created',
    ]);
    expect(items[0]?.body).toMatchObject({ data: { is_final: true } });
    const derived = (await readAll(caller, 'event_types=historical.timeseries.hypnogram.created')).items;
    expect(derived.map((item) => item.message_id)).toEqual([items[1]?.message_id]);
  });

  it('never returns events of an erased user or of another team', async () => {
    const caller = await harness.newCaller();
    const other = await harness.newCaller();
    const userId = uuidv7();
    const [erased] = await commitEvents(database.current, caller.team.teamId, 3, { userId });
    const [kept] = await commitEvents(database.current, caller.team.teamId, 1);
    await database.current.transaction((tx) => eraseUserEvents(tx, { teamId: caller.team.teamId, userId }));
    for (const path of ['/v2/team/events', '/v2/team/message']) {
      const reply = await caller.call('GET', path);
      expect(reply.body.data.map((item: Item) => item.message_id)).toEqual([messageId(kept as { eventId: string })]);
      expect(reply.text).not.toContain(userId);
      expect((await other.call('GET', path)).body.data).toEqual([]);
    }
    const gone = await caller.call('GET', `/v2/team/message/${messageId(erased as { eventId: string })}`);
    expect([gone.status, gone.body.body]).toEqual([200, null]);
  });

  it('rejects cursors of other queries, and reports all invalid parameters in one response', async () => {
    const caller = await harness.newCaller();
    await commitEvents(database.current, caller.team.teamId, 3);
    const { position } = (await caller.call('GET', '/v2/team/events?limit=1')).body;
    const reply = await caller.call('GET', `/v2/team/events?user_id=${uuidv7()}&next_cursor=${position}`);
    expect([reply.status, failing(reply)]).toEqual([422, ['query.next_cursor value_error']]);
    for (const cursor of ['nonsense', Buffer.from('{"s":1}').toString('base64url')])
      expect((await caller.call('GET', `/v2/team/events?next_cursor=${cursor}`)).status).toBe(422);
    expect(failing(await caller.call('GET', '/v2/team/events?limit=501&since=yesterday&event_types=nothing'))).toEqual([
      'query.event_types.0 enum',
      'query.since datetime_from_date_parsing',
      'query.limit less_than_equal',
    ]);
    const stranger = await harness.newCaller();
    expect((await stranger.call('GET', `/v2/team/events?next_cursor=${position}`)).status).toBe(422);
  });

  // Must be the last test: it adds shards to the log of this file.
  it('continues from a cursor created before a new generation and before resharding', async () => {
    const caller = await harness.newCaller();
    const { teamId } = caller.team;
    const users = Array.from({ length: 12 }, () => uuidv7());
    const events: Awaited<ReturnType<typeof commitEvents>> = [];
    const commitAll = async () => {
      for (const userId of users) events.push(...(await commitEvents(database.current, teamId, 2, { userId })));
    };
    await commitAll();
    const all = await readAll(caller, 'limit=5');
    const half = await caller.call('GET', '/v2/team/events?limit=5');
    await newGeneration(database.current);
    await commitAll();
    await reshard(database.current, firstShardCount * 2);
    await commitAll();
    expect(users.some((userId) => shardOf(userId, firstShardCount * 2) >= firstShardCount)).toBe(true);
    const later = await readAll(caller, 'limit=5');
    const resumed = async (cursor: string) => {
      const items: Item[] = [];
      for (let next: string | null = cursor; next !== null;) {
        const { body } = await caller.call('GET', `/v2/team/events?limit=5&next_cursor=${next}`);
        items.push(...body.data);
        next = body.next_cursor;
      }
      return items;
    };
    const idsOf = (items: readonly Item[]) => items.map((item) => item.message_id);
    const expected = events.map(messageId);
    expect(idsOf(later.items).toSorted()).toEqual(expected.toSorted());
    expect(idsOf(await resumed(all.position)).toSorted()).toEqual(expected.slice(24).toSorted());
    const rest = await resumed(half.body.next_cursor);
    expect(idsOf([...half.body.data, ...rest]).toSorted()).toEqual(expected.toSorted());
    for (const userId of users) {
      const own = [...half.body.data, ...rest].filter((item: Item) => item.body.user_id === userId);
      expect(idsOf(own)).toEqual(events.filter((event) => event.userId === userId).map(messageId));
    }
  });
});
