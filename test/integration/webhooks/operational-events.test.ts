import { describe, expect, it } from 'vitest';
import { createManualClock, systemClock, uuidv7 } from '@pulsewire/kernel';
import { createEndpoint, updateEndpoint, watchEndpoints } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { useHarness, type TestReceiver, type Harness } from '../dispatcher/harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const operational = ['message.attempt.exhausted', 'endpoint.failing', 'endpoint.disabled', 'endpoint.enabled'];

interface Notification {
  readonly event_type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const notifiedAt = (receiver: TestReceiver): Notification[] => receiver.received.map(({ body }) => JSON.parse(body) as Notification);
const endpointThat = async (harness: Harness, status: number, headers: Record<string, string> = {}, schedule: number[] = [3600]) => {
  const { receiver, url } = await harness.receiver();
  receiver.respond = (_request, response) => void response.writeHead(status, headers).end();
  return { receiver, endpointId: (await createEndpoint(harness.context, harness.teamId, { url, schedule })).id };
};

describe('operational events', () => {
  it('reach only endpoints that name them, once each with two dispatchers, and without a user', async () => {
    const harness = await createHarness();
    const named = await harness.endpoint({ filterTypes: operational });
    const all = await harness.endpoint();
    const gone = await endpointThat(harness, 410);
    const declining = await endpointThat(harness, 400, { 'webhook-delivery': 'disable' });
    const exhausting = await endpointThat(harness, 500, {}, [1]);
    harness.start();
    harness.start();
    await harness.emit(1);
    await expect.poll(() => notifiedAt(named.receiver).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    await updateEndpoint(harness.context, harness.teamId, gone.endpointId, { disabled: false, url: all.url });
    await updateEndpoint(harness.context, harness.teamId, exhausting.endpointId, { disabled: true });
    await named.receiver.until(5);
    await harness.emit(1);
    await all.receiver.until(2);
    await harness.caughtUp();

    const reported = notifiedAt(named.receiver).map(
      ({ event_type: type, data }) => `${type} ${String(data['endpoint_id'])} ${String(data['reason'])}`,
    );
    expect(reported).toHaveLength(5);
    expect(new Set(reported)).toEqual(
      new Set([
        `endpoint.disabled ${gone.endpointId} gone`,
        `endpoint.disabled ${declining.endpointId} declined`,
        `endpoint.disabled ${exhausting.endpointId} requested`,
        `endpoint.enabled ${gone.endpointId} undefined`,
        `message.attempt.exhausted ${exhausting.endpointId} undefined`,
      ]),
    );
    for (const one of notifiedAt(named.receiver)) expect(Object.keys(one)).toEqual(['event_type', 'data', 'team_id']);
    expect(new Set(notifiedAt(all.receiver).map((one) => one.event_type))).toEqual(new Set(['daily.data.activity.created']));
  }, 60_000);

  it('announce failing and disabling as normal webhooks', async () => {
    const harness = await createHarness();
    const named = await harness.endpoint({ filterTypes: operational });
    const failing = await endpointThat(harness, 500);
    const hourMs = 3_600_000;
    const startMs = systemClock.now().getTime() - 140 * hourMs;
    for (let hour = 0; hour <= 138; hour += 6) {
      const at = new Date(startMs + hour * hourMs).toISOString();
      await file.current.sql`
        INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, event_type)
        VALUES (${at.slice(0, 10)}, ${failing.endpointId}, ${at}, ${uuidv7()}, 1, 1, ${at.slice(0, 10)}, 1, 2, 500, 5, 'x')`;
    }
    harness.start();
    for (const hour of [12.1, 73, 133]) {
      await watchEndpoints({ database: file.current, clock: createManualClock(new Date(startMs + hour * hourMs)) });
    }
    await named.receiver.until(2);
    expect(
      notifiedAt(named.receiver)
        .map((one) => one.event_type)
        .toSorted(),
    ).toEqual(['endpoint.disabled', 'endpoint.failing']);
    expect(notifiedAt(named.receiver).every(({ data }) => data['endpoint_id'] === failing.endpointId)).toBe(true);
  }, 60_000);

  it('that cannot be delivered are not announced themselves', async () => {
    const harness = await createHarness();
    const { receiver, url } = await harness.receiver();
    receiver.respond = (_request, response) => void response.writeHead(500).end();
    const filter = { url, filter_types: operational, schedule: [1] };
    const { id } = await createEndpoint(harness.context, harness.teamId, filter);
    const other = await harness.endpoint({ filterTypes: ['endpoint.disabled'] });
    harness.start();
    await updateEndpoint(harness.context, harness.teamId, (await endpointThat(harness, 204)).endpointId, { disabled: true });
    await other.receiver.until(1);
    const ofFailing = async () => (await harness.attempts()).filter((one) => one.endpoint_id === id);
    await expect.poll(async () => (await ofFailing()).length, { timeout: 20_000 }).toBe(2);
    await harness.caughtUp();
    const events = await file.current.sql<{ event_type: string }[]>`SELECT event_type FROM log_events`;
    expect(events.map((one) => one.event_type)).toEqual(['endpoint.disabled']);
    expect((await ofFailing()).map(({ outcome }) => outcome)).toEqual([2, 3]);
  }, 60_000);
});
