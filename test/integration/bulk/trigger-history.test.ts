import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { abortOperation, startQueuedHistory } from '@pulsewire/connections';
import { silentLogger } from '@pulsewire/kernel';
import { findConnector } from '@pulsewire/providers';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/support/harness.ts';
import { createBulkHarness, workUntil, type BulkHarness } from './harness.ts';

const database = useDatabase();
let harness: BulkHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createBulkHarness(database.current);
});
beforeEach(async () => {
  caller = await harness.enabledCaller();
});
afterAll(() => harness.close());

const imported = (count: number, provider?: string) => harness.imported(caller, count, provider);
const operations = async () => (await caller.call('GET', '/v2/link/bulk_op')).body;
const forgetQueue = () => database.current.sql`DELETE FROM bulk_turns`;

describe('bulk_trigger_historical_pull', () => {
  let started: string[] = [];
  let open = new Set<string>();
  const queueContext = () => ({
    database: database.current,
    clock: harness.imports.clock,
    logger: silentLogger,
    connectorFor: findConnector,
    startHistory: async (_tx: unknown, connectionId: string) => {
      started.push(connectionId);
      open.add(connectionId);
      return true;
    },
    openHistories: async (_executor: unknown, ids: readonly string[]) => ids.filter((id) => open.has(id)),
  });
  const run = () => startQueuedHistory(queueContext(), { limit: 10_000, signal: new AbortController().signal });
  const trigger = (userIds: readonly string[], provider = 'fitbit', more: object = {}) =>
    caller.call('POST', '/v2/link/bulk_trigger_historical_pull', { user_ids: userIds, provider, ...more });

  beforeEach(async () => {
    started = [];
    open = new Set();
    await forgetQueue();
  });

  it('queues the users that can be pulled, and reports why the others cannot', async () => {
    const [good = '', paused = ''] = await imported(2);
    await forgetQueue();
    await database.current.sql`UPDATE connections SET status = 'paused' WHERE user_id = ${paused}`;
    const [unlinked = ''] = await harness.newUsers(caller, 1);
    const nobody = randomUUID();
    harness.api.clock.advance(1000);
    const reply = await trigger([good, paused, unlinked, nobody, good]);
    expect([reply.status, reply.body]).toEqual([202, {}]);
    expect((await operations()).data[0]).toMatchObject({
      type: 'link_bulk_historical_trigger',
      status: 'in_progress',
      pending: 1,
      processed: 3,
    });
    expect(await run()).toBe(1);
    expect((await operations()).data[0]).toMatchObject({ status: 'success', pending: 0, processed: 4 });
    const items = await caller.call('GET', `/v2/link/bulk_op/${String(reply.headers['x-bulk-operation-id'])}/item`);
    expect(items.body.data.map(({ outcome, reason }: Record<string, string>) => [outcome, reason])).toEqual([
      ['triggered', null],
      ['failed', 'connection_paused'],
      ['failed', 'connection_not_found'],
      ['failed', 'user_not_found'],
    ]);
  });

  it('responds with 200 after a wait until all have begun, or when all have failed', async () => {
    const users = await imported(2);
    await forgetQueue();
    const sent = trigger(users, 'fitbit', { wait_for_completion: true });
    expect((await workUntil(sent, run)).status).toBe(200);
    expect((await trigger([randomUUID()], 'fitbit', { wait_for_completion: true })).status).toBe(200);
  });

  it('begins at most as many as the provider allows at once, and the next on completion', async () => {
    await imported(255);
    await run();
    expect(started).toHaveLength(250);
    expect(await run()).toBe(0);
    for (const id of started.slice(0, 3)) open.delete(id);
    await run();
    expect(started).toHaveLength(253);
  });

  it('begins at most as many as the provider allows per period, whenever the period starts', async () => {
    await imported(20, 'other_band');
    await run();
    expect(started).toHaveLength(8);
    harness.api.clock.advance(59_000);
    expect(await run()).toBe(0);
    harness.api.clock.advance(1_000);
    await run();
    expect(started).toHaveLength(16);
  });

  it('never makes one team wait for another', async () => {
    await imported(20, 'other_band');
    caller = await harness.enabledCaller();
    await imported(2, 'other_band');
    await run();
    expect(started).toHaveLength(10);
  });

  it('keeps to the limit when several schedulers run concurrently', async () => {
    await imported(20, 'other_band');
    await Promise.all([run(), run(), run()]);
    expect(started).toHaveLength(8);
  });

  it('skips and records a connection that cannot be planned', async () => {
    const users = await imported(2);
    await forgetQueue();
    harness.api.clock.advance(1000);
    await trigger(users);
    let calls = 0;
    const broken = { ...queueContext(), startHistory: async () => ((calls += 1) === 1 ? Promise.reject(new Error('broken')) : true) };
    expect(await startQueuedHistory(broken, { limit: 10, signal: new AbortController().signal })).toBe(2);
    expect((await operations()).data[0]).toMatchObject({ status: 'success', processed: 2 });
  });

  it('stops at an abort: pulls in progress continue, queued ones do not begin', async () => {
    const users = await imported(20, 'other_band');
    await forgetQueue();
    harness.api.clock.advance(1000);
    const reply = await trigger(users, 'other_band');
    await run();
    const operationId = String(reply.headers['x-bulk-operation-id']);
    expect(await abortOperation({ database: database.current, clock: harness.imports.clock }, operationId)).toBe(true);
    expect(await abortOperation({ database: database.current, clock: harness.imports.clock }, operationId)).toBe(false);
    harness.api.clock.advance(3_600_000);
    expect(await run()).toBe(0);
    expect((await operations()).data[0]).toMatchObject({ status: 'aborted', pending: 12, processed: 8, ended_at: expect.any(String) });
  });
});
