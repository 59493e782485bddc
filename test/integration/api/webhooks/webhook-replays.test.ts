import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '@pulsewire/kernel';
import type { NewEvent } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import { backdate, commitEvents, failing, messageId, recordAttempt, sleepCreated, stepsCreated } from '../support/webhook-facts.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;
let webhookId: string;
let path: string;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
});
afterAll(() => harness.close());
beforeEach(async () => {
  caller = await harness.newCaller();
  ({ webhookId, path } = await newEndpoint());
});

async function newEndpoint(fields = {}): Promise<{ webhookId: string; path: string }> {
  const { id } = (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook', ...fields })).body;
  return { webhookId: id, path: `/v2/team/webhook/${id}` };
}

const since = '2026-01-01T00:00:00Z';
const commit = (count: number, fields = {}) => commitEvents(database.current, caller.team.teamId, count, fields);
const attempt = (event: NewEvent, facts: Parameters<typeof recordAttempt>[3]) => recordAttempt(database.current, webhookId, event, facts);
const count = async (fields: object, at = path) => (await caller.call('POST', `${at}/replay`, { since, dry_run: true, ...fields })).body;
const start = (fields = {}) => caller.call('POST', `${path}/replay`, { since, selection: 'all', ...fields });
const minutes = (n: number): Date => new Date(Date.now() + n * 60_000);

describe('a dry run', () => {
  it('counts by the state of each event at this endpoint: all, failed, missing, undelivered', async () => {
    const events = await commit(6);
    const [delivered, superseded, givenUp, failedAtLast, recovered] = events as [
      NewEvent,
      NewEvent,
      NewEvent,
      NewEvent,
      NewEvent,
      NewEvent,
    ];
    await attempt(delivered, { outcome: 'delivered' });
    await attempt(superseded, { outcome: 'superseded', status: null });
    await attempt(givenUp, { outcome: 'failed', at: minutes(-3) });
    await attempt(givenUp, { outcome: 'exhausted', at: minutes(-2) });
    await attempt(failedAtLast, { outcome: 'delivered', at: minutes(-3) });
    await attempt(failedAtLast, { outcome: 'failed', at: minutes(-2) });
    await attempt(recovered, { outcome: 'exhausted', at: minutes(-3) });
    await attempt(recovered, { outcome: 'delivered', at: minutes(-2) });
    const counts = async (at?: string) =>
      Promise.all(['all', 'failed', 'missing', 'undelivered'].map(async (selection) => (await count({ selection }, at)).messages));
    expect(await counts()).toEqual([6, 2, 1, 3]);
    // Nothing was ever sent to a new endpoint.
    expect(await counts((await newEndpoint()).path)).toEqual([6, 0, 6, 6]);
    expect(await count({ selection: 'all' })).toEqual({ messages: 6, exact: true });
  });

  it('counts only what the endpoint would receive by filter and team settings, unless erased', async () => {
    const { teamId } = caller.team;
    const [erased] = await commit(4, { eventType: stepsCreated });
    await commit(2);
    await commit(3, { origin: 'historical' });
    await commit(1, { eventType: 'endpoint.failing', userId: null, clientUserId: null });
    await database.current.sql`UPDATE log_events SET json = '{}', client_user_id = NULL WHERE event_id = ${(erased as NewEvent).eventId}`;
    expect((await count({ selection: 'all' })).messages).toBe(8);
    const onlySteps = await newEndpoint({ filter_types: [stepsCreated] });
    expect((await count({ selection: 'missing' }, onlySteps.path)).messages).toBe(3);
    expect((await count({ selection: 'missing', event_types: [sleepCreated] }, onlySteps.path)).messages).toBe(0);
    const named = await newEndpoint({ filter_types: ['endpoint.failing'] });
    expect((await count({ selection: 'missing' }, named.path)).messages).toBe(1);
    await database.current.sql`UPDATE teams SET push_historical_data = false WHERE team_id = ${teamId}`;
    expect((await count({ selection: 'all' })).messages).toBe(5);
  });

  it('counts within its range, for a user, for chosen types', async () => {
    const userId = uuidv7();
    const old = await commit(3, { userId });
    await backdate(database.current, old, new Date('2025-12-31T23:59:59Z'));
    const own = (await commit(2, { userId })) as [NewEvent, NewEvent];
    await commit(4, { eventType: stepsCreated });
    expect((await count({ selection: 'all', user_id: userId })).messages).toBe(2);
    expect((await count({ selection: 'all', event_types: [stepsCreated] })).messages).toBe(4);
    expect((await count({ selection: 'all', until: '2026-01-02T00:00:00Z' })).messages).toBe(0);
    await attempt(own[0], { outcome: 'exhausted' });
    await attempt(old[0] as NewEvent, { outcome: 'exhausted' });
    expect((await count({ selection: 'failed', user_id: userId })).messages).toBe(1);
    expect((await count({ selection: 'failed', user_id: uuidv7() })).messages).toBe(0);
    expect((await count({ selection: 'failed', event_types: [stepsCreated] })).messages).toBe(0);
  });

  it('creates no replay, and works for a disabled endpoint', async () => {
    await caller.call('PATCH', path, { disabled: true });
    await commit(2);
    expect((await count({ selection: 'missing' })).messages).toBe(2);
    expect((await caller.call('GET', `${path}/replay`)).body).toEqual({ data: [], next_cursor: null });
  });
});

describe('a replay', () => {
  it('is created, read, listed by status, and cancelled once', async () => {
    const userId = uuidv7();
    const made = await start({
      until: '2099-01-01T00:00:00Z',
      user_id: userId,
      event_types: [sleepCreated, sleepCreated],
      selection: 'missing',
    });
    expect(made.status).toBe(202);
    expect(made.body).toMatchObject({
      webhook_id: webhookId,
      status: 'running',
      since: '2026-01-01T00:00:00+00:00',
      user_id: userId,
      event_types: [sleepCreated],
      selection: 'missing',
      ended_at: null,
    });
    // It ends at the time it was created: later events are delivered live.
    expect(Date.parse(made.body.until)).toBeLessThan(Date.parse('2099-01-01T00:00:00Z'));
    const one = `${path}/replay/${made.body.id}`;
    expect((await caller.call('GET', one)).body).toMatchObject({ id: made.body.id });
    const cancelled = (await caller.call('POST', `${one}/cancel`)).body;
    expect(cancelled).toMatchObject({ id: made.body.id, status: 'cancelled', ended_at: expect.any(String) });
    expect((await caller.call('POST', `${one}/cancel`)).body).toEqual(cancelled);
    harness.clock.advance(1000);
    const second = (await start()).body.id;
    const ids = async (query: string) =>
      (await caller.call('GET', `${path}/replay?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([second, made.body.id]);
    expect(await ids('status=cancelled')).toEqual([made.body.id]);
    const { next_cursor: cursor } = (await caller.call('GET', `${path}/replay?limit=1`)).body;
    expect(await ids(`limit=1&next_cursor=${cursor}`)).toEqual([made.body.id]);
    expect((await caller.call('GET', `${path}/replay?status=running&next_cursor=${cursor}`)).status).toBe(422);
  });

  it('is the only running one of its endpoint, even when several are requested concurrently', async () => {
    const replies = await Promise.all([start(), start(), start()]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
    const other = await newEndpoint();
    expect((await caller.call('POST', `${other.path}/replay`, { since, selection: 'all' })).status).toBe(202);
  });

  it('is rejected with every invalid field, for a disabled endpoint, and for unknown ids', async () => {
    expect(
      failing(await caller.call('POST', `${path}/replay`, { until: 'x', user_id: 'y', event_types: 'z', selection: 'some', dry_run: 0 })),
    ).toEqual([
      'body.since missing',
      'body.until datetime_from_date_parsing',
      'body.user_id uuid_parsing',
      'body.event_types list_type',
      'body.selection enum',
      'body.dry_run bool_parsing',
    ]);
    expect(failing(await start({ until: '2025-01-01T00:00:00Z' }))).toEqual(['body.until value_error']);
    expect(failing(await start({ since: '2099-01-01T00:00:00Z' }))).toEqual(['body.until value_error']);
    expect(failing(await start({ event_types: ['nothing'] }))).toEqual(['body.event_types value_error']);
    expect(failing(await start({ since: '0001-01-01T00:00:00Z' }))).toEqual(['body.since value_error']);
    expect(failing(await start({ since: '0050-06-01T00:00:00Z', until: '0049-01-01T00:00:00Z', event_types: ['nothing'] }))).toEqual([
      'body.since value_error',
      'body.until value_error',
      'body.event_types value_error',
    ]);
    expect(failing(await caller.call('POST', `${path}/recover`, { since: '0001-01-01T00:00:00Z' }))).toEqual(['body.since value_error']);
    expect((await caller.call('POST', `/v2/team/webhook/${uuidv7()}/replay`, { since, selection: 'all' })).status).toBe(404);
    for (const method of ['GET', 'POST'] as const)
      expect((await caller.call(method, `${path}/replay/${uuidv7()}${method === 'POST' ? '/cancel' : ''}`)).status).toBe(404);
    await caller.call('PATCH', path, { disabled: true });
    expect((await start()).status).toBe(400);
  });

  it('ends when its endpoint is deleted', async () => {
    const { id } = (await start()).body;
    await caller.call('DELETE', path);
    expect(await database.current.sql`SELECT status FROM webhook_replays WHERE replay_id = ${id}`).toEqual([{ status: 'cancelled' }]);
  });
});

describe('recovering failed messages', () => {
  it('is a replay, the same one when repeated, and is rejected during another kind of replay', async () => {
    const [event] = (await commit(2)) as [NewEvent, NewEvent];
    await attempt(event, { outcome: 'exhausted' });
    const first = await caller.call('POST', `${path}/recover`, { since });
    expect([first.status, first.body.messages]).toEqual([202, 1]);
    expect((await caller.call('GET', `${path}/replay/${first.body.replay_id}`)).body).toMatchObject({
      selection: 'failed',
      status: 'running',
    });
    const later = await caller.call('POST', `${path}/recover`, { since: '2026-02-01T00:00:00Z' });
    expect([later.status, later.body.replay_id]).toEqual([202, first.body.replay_id]);
    expect((await caller.call('POST', `${path}/recover`, { since: '2025-02-01T00:00:00Z' })).status).toBe(409);
    expect(failing(await caller.call('POST', `${path}/recover`, { since: '2099-01-01T00:00:00Z' }))).toEqual(['body.since value_error']);
    await caller.call('POST', `${path}/replay/${first.body.replay_id}/cancel`);
    await start();
    expect((await caller.call('POST', `${path}/recover`, { since })).status).toBe(409);
  });
});

describe('enabling an endpoint again', () => {
  it('offers to recover messages missed since the endpoint was disabled or began to fail', async () => {
    const [before] = (await commit(1)) as [NewEvent];
    await attempt(before, { outcome: 'delivered' });
    const [failed] = (await commit(1)) as [NewEvent];
    await attempt(failed, { outcome: 'exhausted' });
    await database.current.sql`UPDATE webhook_endpoints SET failing_since = now() - interval '1 hour' WHERE endpoint_id = ${webhookId}`;
    expect((await caller.call('PATCH', path, { disabled: true })).body).toMatchObject({ disabled_reason: 'requested', recovery: null });
    await commit(2);
    const enabled = (await caller.call('PATCH', path, { disabled: false })).body;
    expect(enabled).toMatchObject({ disabled: false, disabled_at: null, disabled_reason: null, failing_since: null });
    expect(enabled.recovery).toEqual({ since: expect.any(String), selection: 'undelivered', messages: 3, exact: true });
    // The offer is the body of the replay request that accepts it.
    const { since: from, selection } = enabled.recovery;
    expect((await caller.call('POST', `${path}/replay`, { since: from, selection, dry_run: true })).body.messages).toBe(3);
    expect((await caller.call('PATCH', path, { description: 'x' })).body.recovery).toBeNull();
    const reported = (await caller.call('GET', '/v2/team/events?event_types=endpoint.disabled&event_types=endpoint.enabled')).body.data;
    expect(
      reported.map((one: { body: { event_type: string; data: { endpoint_id: string } } }) => [
        one.body.event_type,
        one.body.data.endpoint_id,
      ]),
    ).toEqual([
      ['endpoint.disabled', webhookId],
      ['endpoint.enabled', webhookId],
    ]);
    expect(messageId(failed)).toMatch(/^msg_/);
  });
});
