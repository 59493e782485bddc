import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '@pulsewire/kernel';
import { ensureDailyPartitions } from '@pulsewire/database';
import type { NewEvent } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import {
  backdate,
  commitEvents,
  failing,
  makeWait,
  messageId,
  recordAttempt,
  sleepCreated,
  stepsCreated,
} from '../support/webhook-facts.ts';

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
  webhookId = (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).body.id;
  path = `/v2/team/webhook/${webhookId}`;
});

const commit = (count: number, fields = {}) => commitEvents(database.current, caller.team.teamId, count, fields);
const attempt = (event: NewEvent, facts: Parameters<typeof recordAttempt>[3]) => recordAttempt(database.current, webhookId, event, facts);
const pending = () =>
  database.current.sql<{ event_id: string; attempts: number; is_due: boolean }[]>`
    SELECT event_id, attempts, due_at <= now() AS is_due FROM webhook_pending WHERE endpoint_id = ${webhookId} ORDER BY event_id`;
const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);

describe('messages of a team', () => {
  it('are listed newest first with the state of their deliveries, in pages', async () => {
    const [oldest, failed, waiting, sent, fresh] = (await commit(5)) as [NewEvent, NewEvent, NewEvent, NewEvent, NewEvent];
    for (const [index, event] of [oldest, failed, waiting, sent, fresh].entries())
      await backdate(database.current, [event], minutes(index - 10));
    await attempt(oldest, { outcome: 'superseded', status: null });
    await attempt(failed, { outcome: 'failed', attempt: 9 });
    await attempt(failed, { outcome: 'exhausted', attempt: 10, at: minutes(1) });
    await attempt(waiting, { outcome: 'failed' });
    await makeWait(database.current, webhookId, waiting, 1, new Date('2030-01-01T00:00:00Z'));
    await attempt(sent, { outcome: 'failed' });
    await attempt(sent, { outcome: 'delivered', attempt: 2, at: minutes(1) });
    const first = (await caller.call('GET', '/v2/team/message?limit=3')).body;
    const second = (await caller.call('GET', `/v2/team/message?limit=3&next_cursor=${first.next_cursor}`)).body;
    expect(second.next_cursor).toBeNull();
    const seen = [...first.data, ...second.data].map(({ message_id: id, deliveries }) => [
      id,
      ...deliveries.map((one: Record<string, unknown>) => [one['webhook_id'], one['status'], one['attempts'], one['next_attempt_at']]),
    ]);
    expect(seen).toEqual([
      [messageId(fresh)],
      [messageId(sent), [webhookId, 'succeeded', 2, null]],
      [messageId(waiting), [webhookId, 'waiting', 1, '2030-01-01T00:00:00+00:00']],
      [messageId(failed), [webhookId, 'failed', 10, null]],
      [messageId(oldest), [webhookId, 'superseded', 1, null]],
    ]);
  });

  it('are listed for any calendar range, however early it begins or late it ends', async () => {
    await commit(2);
    const range = 'since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z';
    expect((await caller.call('GET', `/v2/team/message?${range}`)).body.data).toHaveLength(2);
    expect((await caller.call('GET', '/v2/team/events?since=0001-01-01T00:00:00Z')).body.data).toHaveLength(2);
    expect((await caller.call('GET', `${path}/attempt?${range}`)).status).toBe(200);
  });

  it('reject a forged cursor, however Postgres would parse it', async () => {
    const events = await commit(3);
    for (const event of events) await attempt(event, { outcome: 'delivered' });
    const cursorOf = async (list: string) => String((await caller.call('GET', `${list}?limit=1`)).body.next_cursor);
    const forge = (cursor: string, fields: object) => {
      const known = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as object;
      return Buffer.from(JSON.stringify({ ...known, ...fields })).toString('base64url');
    };
    const statusOf = async (list: string, fields: object) =>
      (await caller.call('GET', `${list}?limit=1&next_cursor=${forge(await cursorOf(list), fields)}`)).status;
    expect(await statusOf('/v2/team/message', {})).toBe(200);
    for (const d of ['2026-02-31', '0000-01-01', '2026-13-01']) expect(await statusOf('/v2/team/message', { d })).toBe(422);
    expect(await statusOf(`${path}/attempt`, {})).toBe(200);
    for (const a of ['page 1', '2026-02-31 10:00:00+00', '2026-02-03 25:00:00+00', '0000-02-03 10:00:00+00'])
      expect(await statusOf(`${path}/attempt`, { a })).toBe(422);
    expect(await statusOf(`${path}/attempt`, { i: '-'.repeat(36) })).toBe(422);
  });

  it('are filtered by type, user and time', async () => {
    const userId = uuidv7();
    const old = await commit(2, { userId });
    await backdate(database.current, old, new Date('2026-03-01T10:00:00Z'));
    const steps = await commit(2, { eventType: stepsCreated });
    const ids = async (query: string) =>
      (await caller.call('GET', `/v2/team/message?${query}`)).body.data.map((one: { message_id: string }) => one.message_id).toSorted();
    const of = (events: readonly NewEvent[]) => events.map(messageId).toSorted();
    expect(await ids(`event_type=${stepsCreated}`)).toEqual(of(steps));
    expect(await ids(`user_id=${userId}`)).toEqual(of(old));
    expect(await ids('until=2026-03-01T10:00:00Z&since=2026-03-01T10:00:00Z')).toEqual([]);
    const all = await ids(`since=${minutes(-60).toISOString()}&until=${minutes(60).toISOString()}`);
    expect(all).toEqual(of(steps));
    expect(failing(await caller.call('GET', '/v2/team/message?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z'))).toEqual([
      'query.until value_error',
    ]);
    const { next_cursor: cursor } = (await caller.call('GET', '/v2/team/message?limit=1')).body;
    expect((await caller.call('GET', `/v2/team/message?limit=1&user_id=${userId}&next_cursor=${cursor}`)).status).toBe(422);
  });

  it('are readable by id, with the body and the attempts of every endpoint', async () => {
    const other = (await caller.call('POST', '/v2/team/webhook', { url: 'https://other.test/' })).body.id;
    const [event] = (await commit(1)) as [NewEvent];
    await attempt(event, { outcome: 'failed', error: 'timeout', status: null, at: minutes(-2) });
    await recordAttempt(database.current, other, event, { outcome: 'delivered', at: minutes(-1) });
    await makeWait(database.current, webhookId, event, 1, new Date('2030-01-01T00:00:00Z'));
    const { body } = await caller.call('GET', `/v2/team/message/${messageId(event)}`);
    expect(body).toMatchObject({
      message_id: messageId(event),
      event_id: event.eventId,
      user_id: event.userId,
      body: { event_type: sleepCreated, data: { number: 0, share: 0.1 }, client_user_id: 'someone' },
      attempts: [
        { webhook_id: other, status: 'succeeded', response_status: 200, next_attempt_at: null },
        { webhook_id: webhookId, status: 'failed', error: 'timeout', next_attempt_at: '2030-01-01T00:00:00+00:00' },
      ],
    });
    expect(body.deliveries.map((one: { status: string }) => one.status).toSorted()).toEqual(['succeeded', 'waiting']);
    const stranger = await harness.newCaller();
    for (const [who, id] of [
      [stranger, messageId(event)],
      [caller, messageId({ eventId: uuidv7() })],
      [caller, 'msg_short'],
      [caller, 'x'],
    ] as const)
      expect((await who.call('GET', `/v2/team/message/${id}`)).status).toBe(404);
  });
});

describe('resending a message', () => {
  it('makes it due immediately, whether it was given up, is waiting, or was never sent', async () => {
    const [givenUp, waiting, never] = (await commit(3)) as [NewEvent, NewEvent, NewEvent];
    await attempt(givenUp, { outcome: 'exhausted', attempt: 10 });
    await attempt(waiting, { outcome: 'failed' });
    await makeWait(database.current, webhookId, waiting, 1, minutes(60));
    for (const event of [givenUp, waiting, never, never]) {
      const reply = await caller.call('POST', `${path}/message/${messageId(event)}/resend`);
      expect([reply.status, reply.body]).toEqual([202, { message_id: messageId(event), event_type: sleepCreated, status: 'queued' }]);
    }
    expect(await pending()).toEqual(
      [
        { event_id: givenUp.eventId, attempts: 0, is_due: true },
        { event_id: waiting.eventId, attempts: 1, is_due: true },
        { event_id: never.eventId, attempts: 0, is_due: true },
      ].toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1)),
    );
  });

  it('reports when it adds nothing: the message is held in a user queue, or is being sent', async () => {
    const [held, inProgress, orphaned] = (await commit(3)) as [NewEvent, NewEvent, NewEvent];
    for (const event of [held, inProgress, orphaned]) await makeWait(database.current, webhookId, event, 0, minutes(60));
    const { sql } = database.current;
    await sql`UPDATE webhook_pending SET due_at = 'infinity', is_ordered = true WHERE event_id = ${held.eventId}`;
    const lease = (event: NewEvent, until: Date) =>
      sql`UPDATE webhook_pending SET lease_owner = 'someone', lease_until = ${until.toISOString()} WHERE event_id = ${event.eventId}`;
    await lease(inProgress, minutes(1));
    await lease(orphaned, minutes(-1));
    const before = await pending();
    const status = async (event: NewEvent) => (await caller.call('POST', `${path}/message/${messageId(event)}/resend`)).body.status;
    expect([await status(held), await status(inProgress)]).toEqual(['held', 'under_way']);
    expect(await pending()).toEqual(before);
    // Its lease has expired.
    expect(await status(orphaned)).toBe('queued');
    expect((await pending()).filter((row) => row.is_due).map((row) => row.event_id)).toEqual([orphaned.eventId]);
  });

  it('is rejected for unknown and erased messages, unknown endpoints and disabled ones', async () => {
    const [event, erased] = (await commit(2)) as [NewEvent, NewEvent];
    await database.current.sql`UPDATE log_events SET json = '{}', client_user_id = NULL WHERE event_id = ${erased.eventId}`;
    const status = async (who: Caller, id: string, at = path) => (await who.call('POST', `${at}/message/${id}/resend`)).status;
    expect(await status(caller, messageId({ eventId: uuidv7() }))).toBe(404);
    expect(await status(caller, messageId(erased))).toBe(404);
    expect(await status(caller, messageId(event), `/v2/team/webhook/${uuidv7()}`)).toBe(404);
    expect(await status(await harness.newCaller(), messageId(event))).toBe(404);
    await caller.call('PATCH', path, { disabled: true });
    expect(await status(caller, messageId(event))).toBe(400);
    expect(await pending()).toEqual([]);
  });
});

describe('a test of an endpoint', () => {
  it('is a message of the chosen type, for no other endpoint and in no list of events', async () => {
    const reply = await caller.call('POST', `${path}/test`, { event_type: sleepCreated });
    expect([reply.status, reply.body.event_type]).toEqual([202, sleepCreated]);
    expect(await pending()).toMatchObject([{ attempts: 0, is_due: true }]);
    const { body } = await caller.call('GET', `/v2/team/message/${reply.body.message_id}`);
    expect(body).toMatchObject({ sequence: null, body: { event_type: sleepCreated, team_id: caller.team.teamId } });
    expect(body.deliveries).toMatchObject([{ webhook_id: webhookId, status: 'waiting' }]);
    for (const list of ['/v2/team/message', '/v2/team/events']) expect((await caller.call('GET', list)).body.data).toEqual([]);
    expect((await (await harness.newCaller()).call('GET', `/v2/team/message/${reply.body.message_id}`)).status).toBe(404);
  });

  it('is rejected for unknown types and for a disabled endpoint', async () => {
    expect(failing(await caller.call('POST', `${path}/test`, { event_type: 'nothing' }))).toEqual(['body.event_type enum']);
    expect(failing(await caller.call('POST', `${path}/test`, {}))).toEqual(['body.event_type missing']);
    await caller.call('PATCH', path, { disabled: true });
    expect((await caller.call('POST', `${path}/test`, { event_type: sleepCreated })).status).toBe(400);
  });
});

describe('attempts of an endpoint', () => {
  it('are filtered by status and time, in pages, across days', async () => {
    await ensureDailyPartitions(database.current, 'webhook_attempts', { from: '2026-05-01', days: 3 });
    const events = await commit(6);
    const at = (index: number) => new Date(Date.parse('2026-05-01T12:00:00Z') + index * 12 * 3_600_000);
    for (const [index, event] of events.entries())
      await attempt(event, {
        outcome: (['delivered', 'failed', 'superseded', 'exhausted', 'delivered', 'failed'] as const)[index] ?? 'delivered',
        at: at(index),
      });
    const ids = async (query: string) => {
      const seen: string[] = [];
      let cursor = '';
      for (;;) {
        const { body } = await caller.call('GET', `${path}/attempt?limit=2&${query}${cursor}`);
        seen.push(...body.data.map((one: { event_id: string }) => one.event_id));
        if (body.next_cursor === null) return seen.map((id) => events.findIndex((event) => event.eventId === id));
        cursor = `&next_cursor=${body.next_cursor}`;
      }
    };
    expect(await ids('')).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await ids('status=failed')).toEqual([5, 3, 1]);
    expect(await ids('status=superseded')).toEqual([2]);
    expect(await ids('status=succeeded&since=2026-05-02T00:00:00Z')).toEqual([4]);
    expect(await ids(`since=${at(1).toISOString()}&until=${at(4).toISOString()}`)).toEqual([4, 3, 2, 1]);
    expect(await ids('until=2026-05-01T14:00:00%2B02:00')).toEqual([0]);
    expect(failing(await caller.call('GET', `${path}/attempt?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z`))).toEqual([
      'query.until value_error',
    ]);
    expect(failing(await caller.call('GET', `${path}/attempt?since=x&limit=0&status=lost`))).toEqual([
      'query.status enum',
      'query.since datetime_from_date_parsing',
      'query.limit greater_than_equal',
    ]);
  });

  it('have no next attempt while the message is held behind another', async () => {
    const [event] = (await commit(1)) as [NewEvent];
    await attempt(event, { outcome: 'failed' });
    await makeWait(database.current, webhookId, event, 1, minutes(1));
    await database.current.sql`UPDATE webhook_pending SET due_at = 'infinity' WHERE endpoint_id = ${webhookId}`;
    expect((await caller.call('GET', `${path}/attempt`)).body.data).toMatchObject([{ next_attempt_at: null }]);
    expect((await caller.call('GET', '/v2/team/message')).body.data[0].deliveries).toMatchObject([
      { status: 'waiting', next_attempt_at: null },
    ]);
  });

  it('have no next attempt while the endpoint is disabled', async () => {
    const [event] = (await commit(1)) as [NewEvent];
    await attempt(event, { outcome: 'failed', status: 410 });
    await makeWait(database.current, webhookId, event, 1, minutes(1));
    await database.current.sql`UPDATE webhook_endpoints SET is_disabled = true WHERE endpoint_id = ${webhookId}`;
    expect((await caller.call('GET', `${path}/attempt`)).body.data).toMatchObject([{ next_attempt_at: null }]);
    const { body } = await caller.call('GET', `/v2/team/message/${messageId(event)}`);
    expect(body.attempts).toMatchObject([{ next_attempt_at: null }]);
    expect(body.deliveries).toMatchObject([{ status: 'waiting', next_attempt_at: null }]);
  });
});
