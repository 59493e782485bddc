import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonEvent, withEvents } from '@pulsewire/eventlog';
import { createIngest } from '@pulsewire/ingest';
import { useDatabase } from '../../../support/database.ts';
import { cipher, createHarness, type Harness, type Linked } from '../../ingest/support/harness.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
let api: ApiHarness;
let team: Caller;
let linked: Linked;
let webhookId: string;

const explain = (resource: string, day: string, caller = team, userId = linked.userId) =>
  caller.call('GET', `/v2/introspect/explain?user_id=${userId}&resource=${resource}&day=${day}`);
const verdict = async (resource: string, day: string) => {
  const { verdict: code, reason, remedy } = (await explain(resource, day)).body;
  return { code, reason, remedy };
};

beforeAll(async () => {
  harness = await createHarness(database.current);
  const { wristband, options } = harness;
  api = await createApiHarness(database.current, {
    connectors: [wristband.connector],
    overrides: { clock: harness.clock, cipher },
  });
  team = await api.newCaller();
  webhookId = (await team.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/' })).body.id;
  wristband.setValue('moves', '2026-03-15', -1);
  wristband.setValue('moves', '2026-03-19', 4321);
  linked = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
  await database.current.sql`UPDATE connections SET denied_scopes = '{scale}' WHERE connection_id = ${linked.connectionId}`;
  await createIngest(options).drain();
});
afterAll(async () => {
  await api.close();
  await harness.close();
});

describe('GET /v2/introspect/explain', () => {
  it('follows a day from the request through the response and the stored version to each endpoint', async () => {
    const { status, body, text } = await explain('steps', '2026-03-19');
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: 'stored', reason: 'Stored: 3 samples.', remedy: null, events_complete: true });
    expect(body.connections).toMatchObject([{ provider: 'wristband', status: 'connected', availability: { status: 'available' } }]);
    expect(body.requests).toMatchObject([{ pull: 'moves', reason: 'backfill', state: 'done', error_code: null }]);
    const response = body.responses.find((one: { place: string }) => one.place.includes('/moves/2026-03-19'));
    expect(response).toMatchObject({ provider: 'wristband', source: 'pull', status: 200, bytes: expect.any(Number) });
    expect(body.stored).toMatchObject([{ kind: 'samples', source_type: 'watch', count: 3, version: response.version }]);
    expect(body.events).toMatchObject([
      {
        event_type: 'daily.data.steps.created',
        message_id: expect.stringMatching(/^msg_/),
        deliveries: [{ webhook_id: webhookId, attempts: [], withheld: expect.any(String) }],
      },
      { event_type: 'historical.data.steps.created' },
    ]);
    expect(text).not.toContain('4321');
  });

  it('names why a day is empty with a stable code and what to do', async () => {
    expect(await verdict('steps', '2026-03-15')).toMatchObject({ code: 'set_aside' });
    expect(await verdict('weight', '2026-03-15')).toEqual({
      code: 'permission_denied',
      reason: 'The user did not grant wristband the scope scale.',
      remedy: 'Let the user connect wristband again and grant it.',
    });
    expect(await verdict('sleep', '2026-03-15')).toMatchObject({ code: 'not_supplied', remedy: null });
    expect(await verdict('steps', '2020-01-01')).toMatchObject({ code: 'not_requested' });
  });

  it('says when a connection had stopped, and which provider to connect again', async () => {
    const { sql } = database.current;
    const stop = (status: string) =>
      sql`UPDATE connections SET status = ${status}, error_type = ${status === 'error' ? 'token_refresh_failed' : null},
        error_message = ${status === 'error' ? 'Refused' : null}, errored_at = ${status === 'error' ? '2026-03-20T10:00:00Z' : null}
        WHERE connection_id = ${linked.connectionId}`;
    await stop('error');
    expect(await verdict('steps', '2026-06-01')).toEqual({
      code: 'connection_stopped',
      reason: 'The connection to wristband stopped at 2026-03-20T10:00:00.000Z: token_refresh_failed, so the day was not requested.',
      remedy: 'Let the user connect wristband again.',
    });
    await stop('connected');
  });

  it('reads the newest of many events, and says that there are more', async () => {
    const [teamId, user] = [team.team.teamId, await team.call('POST', '/v2/user', { client_user_id: 'busy' })];
    const userId = user.body.user_id as string;
    const eventOf = (id: number, padding = '') =>
      jsonEvent({
        eventType: 'daily.data.sleep.updated',
        teamId,
        userId,
        clientUserId: 'busy',
        data: { id: String(id), calendar_date: '2026-03-19', padding },
      });
    await withEvents(database.current, async (_tx, emit) => {
      for (let id = 0; id < 650; id += 1) emit(eventOf(id));
    });
    const { body } = await explain('sleep', '2026-03-19', team, userId);
    expect([body.events_complete, body.events.length < 650, body.events.length > 100]).toEqual([false, true, true]);
    // Seventeen megabytes: the bound on bytes.
    await withEvents(database.current, async (_tx, emit) => {
      for (let id = 0; id < 170; id += 1) emit(eventOf(id, 'x'.repeat(100_000)));
    });
    const large = await explain('sleep', '2026-03-19', team, userId);
    expect([large.body.events_complete, large.body.events.length]).toEqual([false, 200]);
  });

  it("responds with 404 to another team's user and with 422 to an unknown resource or day", async () => {
    const stranger = await api.newCaller();
    expect((await explain('steps', '2026-03-19', stranger)).status).toBe(404);
    expect((await explain('naps', '2026-03-19')).status).toBe(422);
    expect((await explain('steps', 'tuesday')).status).toBe(422);
  });
});
