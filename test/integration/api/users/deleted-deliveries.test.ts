import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import type { NewEvent } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { harnessKey, useHarness, type Harness, type TestReceiver } from '../../dispatcher/harness.ts';
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
  readonly harness: Harness;
  readonly caller: Caller;
  readonly userId: string;
  endpoint(fields?: object): Promise<{ readonly receiver: TestReceiver; readonly path: string }>;
  emit(count: number, userId?: string): Promise<readonly string[]>;
}

async function scene(): Promise<Scene> {
  const harness = await createHarness();
  const caller = await apiHarness.newCaller({ isSandbox: true });
  const { user_id: own } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  return {
    harness,
    caller,
    userId: own,
    async endpoint(fields = {}) {
      const { receiver, url } = await harness.receiver();
      const { id } = (await caller.call('POST', '/v2/team/webhook', { url, ...fields })).body;
      return { receiver, path: `/v2/team/webhook/${id}` };
    },
    async emit(count, userId = own) {
      const events: NewEvent[] = await harness.emit(count, { teamId: caller.team.teamId, userId });
      return events.map(messageId);
    },
  };
}

const held = async (harness: Harness) =>
  (await harness.pending()).filter((row) => row.due_in_ms === null || row.due_in_ms > 600_000).length;
const idsAt = (receiver: TestReceiver) => receiver.received.map(({ id }) => id);

it('holds retries, ordered queues and new events of a deleted user until an undo', async () => {
  const { harness, caller, userId, endpoint, emit } = await scene();
  const [plain, ordered] = [await endpoint(), await endpoint({ ordering: 'per_user' })];
  const receivers = [plain.receiver, ordered.receiver];
  for (const receiver of receivers) receiver.respond = (_request, response) => void response.writeHead(500).end();
  harness.start({ scheduleMs: [0, 1500, 1500, 1500] });
  const before = await emit(3);
  await expect
    .poll(async () => (await harness.pending()).filter(({ attempts, due_in_ms: due }) => attempts > 0 || due === null).length)
    .toBe(6);

  expect((await caller.call('DELETE', `/v2/user/${userId}`)).status).toBe(200);
  for (const receiver of receivers) receiver.received.length = 0;
  for (const receiver of receivers) receiver.respond = (_request, response) => void response.writeHead(204).end();
  const during = await emit(2);
  const others = await emit(2, randomUUID());
  await expect.poll(() => held(harness)).toBe(10);
  await Promise.all(receivers.map((receiver) => receiver.until(2)));
  for (const receiver of receivers) expect(idsAt(receiver).toSorted()).toEqual(others.toSorted());

  expect((await caller.call('POST', `/v2/user/undo_delete?user_id=${userId}`)).status).toBe(200);
  await Promise.all(receivers.map((receiver) => receiver.until(7)));
  const all = [...before, ...during];
  expect(idsAt(ordered.receiver).filter((id) => all.includes(id))).toEqual(all);
  expect(
    idsAt(plain.receiver)
      .filter((id) => all.includes(id))
      .toSorted(),
  ).toEqual(all.toSorted());
  await expect.poll(() => harness.pending()).toEqual([]);
});

it('omits a deleted user from replays and resends until the deletion is undone', async () => {
  const { harness, caller, userId, endpoint, emit } = await scene();
  const { receiver, path } = await endpoint();
  harness.start();
  const [first = ''] = await emit(2);
  const others = await emit(1, randomUUID());
  await receiver.until(3);
  receiver.received.length = 0;
  const range = { since: '2025-01-01T00:00:00Z', selection: 'all' };
  const counted = async () => (await caller.call('POST', `${path}/replay`, { ...range, dry_run: true })).body.messages;
  const replayAll = async () => {
    const { id } = (await caller.call('POST', `${path}/replay`, range)).body;
    await expect.poll(async () => (await caller.call('GET', `${path}/replay/${id}`)).body.status).toBe('completed');
  };
  const resend = () => caller.call('POST', `${path}/message/${first}/resend`);

  expect((await caller.call('DELETE', `/v2/user/${userId}`)).status).toBe(200);
  expect(await counted()).toBe(1);
  await replayAll();
  expect(idsAt(receiver)).toEqual(others);
  expect((await resend()).status).toBe(404);
  expect((await caller.call('GET', '/v2/team/message')).body.data).toHaveLength(1);
  expect((await caller.call('GET', '/v2/team/events')).body.data).toHaveLength(1);

  expect((await caller.call('POST', `/v2/user/undo_delete?user_id=${userId}`)).status).toBe(200);
  receiver.received.length = 0;
  expect(await counted()).toBe(3);
  await replayAll();
  expect(new Set(idsAt(receiver)).size).toBe(3);
  expect((await resend()).status).toBeLessThan(300);
  expect((await caller.call('GET', '/v2/team/events')).body.data).toHaveLength(3);
});
