import { afterAll, beforeAll, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { createCipher } from '@pulsewire/database';
import type { NewEvent } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { harnessKey, useHarness, type Received, type TestReceiver } from '../../dispatcher/harness.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import { messageId } from '../support/webhook-facts.ts';

const file = useDatabase({ connectionsMax: 20 });
const createHarness = useHarness(file);
let apiHarness: ApiHarness;

beforeAll(async () => {
  const cipher = createCipher(new Map([[1, harnessKey]]));
  apiHarness = await createApiHarness(file.current, { config: { allowedNetworks: ['127.0.0.0/8'] as never[] }, overrides: { cipher } });
});
afterAll(() => apiHarness.close());

interface Scene {
  readonly caller: Caller;
  readonly receiver: TestReceiver;
  readonly path: string;
  emit(count: number): Promise<NewEvent[]>;
  /** Polls until the condition holds. */
  until<T>(path: string, isSo: (body: T) => boolean): Promise<T>;
}

/** A team with one endpoint, created over HTTP, and a running dispatcher. */
async function scene(fields: object = {}): Promise<Scene> {
  const harness = await createHarness();
  const caller = await apiHarness.newCaller({ isSandbox: true });
  const { receiver, url } = await harness.receiver();
  const { id } = (await caller.call('POST', '/v2/team/webhook', { url, ...fields })).body;
  harness.start();
  return {
    caller,
    receiver,
    path: `/v2/team/webhook/${id}`,
    emit: (count) => harness.emit(count, { teamId: caller.team.teamId }),
    async until(path, isSo) {
      for (;;) {
        const { body } = await caller.call('GET', path);
        if (isSo(body)) return body;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

const byId = (received: readonly Received[]) => new Map(received.map((one) => [one.id, one.body]));

it('events read over the API have the same ids and bytes as the messages that were sent', async () => {
  const { caller, receiver, emit } = await scene();
  await emit(20);
  await receiver.until(20);
  const { text, body } = await caller.call('GET', '/v2/team/events');
  expect(body.data).toHaveLength(20);
  const sent = byId(receiver.received);
  for (const one of body.data as { message_id: string }[]) expect(text).toContain(`"body":${sent.get(one.message_id) ?? 'nothing'}}`);
});

it('a test event arrives signed and marked as the only message, and is in the delivery log', async () => {
  const { caller, receiver, path, until } = await scene();
  const sent = (await caller.call('POST', `${path}/test`, { event_type: 'daily.data.sleep.created' })).body;
  await receiver.until(1);
  const [one] = receiver.received as [Received];
  const { key } = (await caller.call('GET', `${path}/secret`)).body;
  const headers = Object.fromEntries(Object.entries(one.headers).map(([name, value]) => [name, String(value)]));
  expect(new Webhook(key).verify(one.body, headers)).toMatchObject({ event_type: 'daily.data.sleep.created', team_id: caller.team.teamId });
  expect([one.id, headers['webhook-test'], headers['webhook-sequence']]).toEqual([sent.message_id, 'true', undefined]);
  const log = await until<{ data: object[] }>(`${path}/attempt`, ({ data }) => data.length > 0);
  expect(log.data).toMatchObject([{ message_id: sent.message_id, status: 'succeeded', attempt: 1 }]);
  const message = (await caller.call('GET', `/v2/team/message/${sent.message_id}`)).body;
  expect(message).toMatchObject({ attempts: [{ status: 'succeeded' }], deliveries: [{ status: 'succeeded' }] });
});

it('a resent message has the same id and body, and its record contains both attempts', async () => {
  const { caller, receiver, path, emit, until } = await scene();
  const [event] = (await emit(1)) as [NewEvent];
  await receiver.until(1);
  const record = `/v2/team/message/${messageId(event)}`;
  await until<{ attempts: object[] }>(record, ({ attempts }) => attempts.length === 1);
  await caller.call('POST', `${path}/message/${messageId(event)}/resend`);
  await until<{ attempts: object[] }>(record, ({ attempts }) => attempts.length === 2);
  expect(receiver.received.map(({ id }) => id)).toEqual([messageId(event), messageId(event)]);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
});

it('a replay sends earlier messages to a new endpoint, a recovery those that it rejected', async () => {
  const { caller, receiver, emit, until } = await scene();
  const events = await emit(4);
  await receiver.until(4);
  const late = await (await createHarness()).receiver();
  late.receiver.respond = (_request, response) => void response.writeHead(400, { 'webhook-delivery': 'abort-message' }).end();
  const made = (await caller.call('POST', '/v2/team/webhook', { url: late.url })).body;
  const path = `/v2/team/webhook/${made.id}`;
  const since = '2026-01-01T00:00:00Z';
  const request = { since, selection: 'missing' };
  expect((await caller.call('POST', `${path}/replay`, { ...request, dry_run: true })).body).toEqual({ messages: 4, exact: true });
  const replay = (await caller.call('POST', `${path}/replay`, request)).body;
  type Progress = { status: string; total: number; exhausted: number; delivered: number };
  const ended = await until<Progress>(`${path}/replay/${replay.id}`, (one) => one.status === 'completed' && one.exhausted === 4);
  expect(ended).toMatchObject({ total: 4, exhausted: 4, delivered: 0 });
  expect((await caller.call('POST', `${path}/replay`, { ...request, dry_run: true })).body.messages).toBe(0);

  late.receiver.respond = (_request, response) => void response.writeHead(204).end();
  const before = late.receiver.received.length;
  const recovered = (await caller.call('POST', `${path}/recover`, { since })).body;
  expect(recovered.messages).toBe(4);
  await until<Progress>(`${path}/replay/${recovered.replay_id}`, (one) => one.status === 'completed' && one.delivered === 4);
  const arrived = late.receiver.received.slice(before);
  expect(new Set(arrived.map(({ id }) => id))).toEqual(new Set(events.map(messageId)));
  expect(byId(arrived)).toEqual(byId(receiver.received));
  expect((await caller.call('POST', `${path}/replay`, { since, selection: 'undelivered', dry_run: true })).body.messages).toBe(0);
});
