import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '@pulsewire/kernel';
import type { NewEvent } from '@pulsewire/eventlog';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import { commitEvents, makeWait, messageId, recordAttempt, sleepCreated } from '../support/webhook-facts.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;
let webhookId: string;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
});
afterAll(() => harness.close());
beforeEach(async () => {
  caller = await harness.newCaller();
  webhookId = (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).body.id;
});

const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
const attempt = (event: NewEvent, facts: Parameters<typeof recordAttempt>[3]) => recordAttempt(database.current, webhookId, event, facts);

describe('messages of a team', () => {
  it('are found by the present state of their deliveries, at all endpoints or at one', async () => {
    const other = (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/other' })).body.id;
    const [failed, waiting, recovered, elsewhere] = (await commitEvents(database.current, caller.team.teamId, 4)) as [
      NewEvent,
      NewEvent,
      NewEvent,
      NewEvent,
    ];
    await attempt(failed, { outcome: 'failed', at: minutes(-9) });
    await attempt(failed, { outcome: 'exhausted', attempt: 2, at: minutes(-8) });
    await attempt(waiting, { outcome: 'failed', at: minutes(-7) });
    await makeWait(database.current, webhookId, waiting, 1, new Date('2030-01-01T00:00:00Z'));
    await attempt(recovered, { outcome: 'failed', at: minutes(-6) });
    await attempt(recovered, { outcome: 'delivered', attempt: 2, at: minutes(-5) });
    await recordAttempt(database.current, other, elsewhere, { outcome: 'exhausted', at: minutes(-1) });
    await recordAttempt(database.current, other, failed, { outcome: 'delivered', at: minutes(-2) });
    const list = async (query: string) => {
      const seen: string[] = [];
      for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 9; pages += 1) {
        const { body } = await caller.call('GET', `/v2/team/message?limit=1&${query}${cursor === '' ? '' : `&next_cursor=${cursor}`}`);
        seen.push(...body.data.map((one: { message_id: string }) => one.message_id));
        cursor = body.next_cursor;
      }
      return seen;
    };
    expect(await list('status=failed')).toEqual([elsewhere, failed].map(messageId));
    expect(await list(`status=failed&webhook_id=${webhookId}`)).toEqual([messageId(failed)]);
    expect(await list(`status=failed&user_id=${failed.userId}`)).toEqual([messageId(failed)]);
    expect(await list('status=waiting')).toEqual([messageId(waiting)]);
    expect(await list(`status=waiting&webhook_id=${other}`)).toEqual([]);
    expect(await list(`status=succeeded&webhook_id=${webhookId}`)).toEqual([messageId(recovered)]);
    expect(await list(`webhook_id=${other}`)).toEqual([elsewhere, failed].map(messageId));
    expect(await list('status=failed&event_type=daily.data.steps.created')).toEqual([]);
    expect((await caller.call('GET', `/v2/team/message?webhook_id=${uuidv7()}`)).status).toBe(404);
    expect((await (await harness.newCaller()).call('GET', `/v2/team/message?webhook_id=${webhookId}`)).status).toBe(404);
    expect((await (await harness.newCaller()).call('GET', '/v2/team/message?status=failed')).body.data).toEqual([]);
  });

  it('are found while they wait when they were test events', async () => {
    const { message_id: id } = (await caller.call('POST', `/v2/team/webhook/${webhookId}/test`, { event_type: sleepCreated })).body;
    const [found] = (await caller.call('GET', '/v2/team/message?status=waiting')).body.data;
    expect(found).toMatchObject({ message_id: id, sequence: null, deliveries: [{ webhook_id: webhookId, status: 'waiting' }] });
  });
});
