import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewEvent } from '@pulsewire/eventlog';
import { uuidv7 } from '@pulsewire/kernel';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import { backdate, commitEvents, failing, makeWait, messageId, recordAttempt } from '../support/webhook-facts.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

async function newEndpoint(): Promise<string> {
  return (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).body.id;
}
const read = async (id: string, query = '') => (await caller.call('GET', `/v2/team/webhook/${id}/statistics${query}`)).body;
const minutes = (n: number): Date => new Date(Date.now() + n * 60_000);

it('statistics of an endpoint without attempts have no rates', async () => {
  expect(await read(await newEndpoint())).toEqual({
    since: expect.any(String),
    exact: true,
    attempts: 0,
    succeeded: 0,
    failed: 0,
    success_rate: null,
    duration_p50_ms: null,
    duration_p99_ms: null,
    in_flight: 0,
    waiting: 0,
    oldest_undelivered_at: null,
    last_error: null,
    disabled: false,
    failing_since: null,
  });
});

it('statistics count the attempts of the window, exclude unsent messages and explain the last error', async () => {
  const id = await newEndpoint();
  const events = await commitEvents(database.current, caller.team.teamId, 104);
  for (const [index, event] of events.slice(0, 100).entries())
    await recordAttempt(database.current, id, event, {
      outcome: index < 90 ? 'delivered' : 'failed',
      durationMs: index + 1,
      at: minutes(-30),
    });
  const [late, superseded, erased, old] = events.slice(100) as [NewEvent, NewEvent, NewEvent, NewEvent];
  await recordAttempt(database.current, id, old, { outcome: 'delivered', durationMs: 99_999, at: minutes(-26 * 60) });
  await recordAttempt(database.current, id, superseded, { outcome: 'superseded', status: null, durationMs: 0 });
  await recordAttempt(database.current, id, erased, {
    outcome: 'exhausted',
    status: null,
    error: 'erased',
    durationMs: 0,
    at: minutes(-40),
  });
  await recordAttempt(database.current, id, late, {
    outcome: 'failed',
    status: null,
    error: 'timeout',
    durationMs: 15_000,
    at: minutes(-1),
  });
  expect(await read(id)).toMatchObject({
    exact: true,
    attempts: 101,
    succeeded: 90,
    failed: 11,
    success_rate: 90 / 101,
    duration_p50_ms: 51,
    duration_p99_ms: 100,
    last_error: { message_id: messageId(late), response_status: null, error: 'timeout', text: 'The receiver did not respond in time.' },
  });
  expect((await read(id, '?hours=48')).attempts).toBe(102);
  expect(failing(await caller.call('GET', `/v2/team/webhook/${id}/statistics?hours=721`))).toEqual(['query.hours less_than_equal']);
  expect((await caller.call('GET', `/v2/team/webhook/${uuidv7()}/statistics`)).status).toBe(404);
});

it('statistics show messages in flight, waiting messages, and the age of the oldest', async () => {
  const id = await newEndpoint();
  const [flying, oldest, held] = (await commitEvents(database.current, caller.team.teamId, 3)) as [NewEvent, NewEvent, NewEvent];
  await backdate(database.current, [flying], new Date('2026-03-01T10:00:00Z'));
  await backdate(database.current, [oldest], new Date('2026-02-01T10:00:00Z'));
  for (const event of [flying, oldest, held]) await makeWait(database.current, id, event, 1, minutes(event === flying ? -1 : 60));
  await database.current
    .sql`UPDATE webhook_pending SET lease_owner = 'd', lease_until = now() + interval '1 minute' WHERE event_id = ${flying.eventId}`;
  await database.current.sql`UPDATE webhook_pending SET due_at = 'infinity' WHERE event_id = ${held.eventId}`;
  expect(await read(id)).toMatchObject({ in_flight: 1, waiting: 2, oldest_undelivered_at: '2026-02-01T10:00:00+00:00' });
  await database.current.sql`UPDATE webhook_pending SET lease_until = now() - interval '1 minute' WHERE event_id = ${flying.eventId}`;
  expect(await read(id)).toMatchObject({ in_flight: 0, waiting: 3 });
});
