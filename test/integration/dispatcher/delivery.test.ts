import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { attemptOutcomes, rotateSecret } from '@pulsewire/webhooks';
import { createManualClock, uuidToBase62 } from '@pulsewire/kernel';
import { useDatabase } from '../../support/database.ts';
import { useHarness, type Received } from './harness.ts';

const createHarness = useHarness(useDatabase());

function flat(headers: Received['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

describe('delivery', () => {
  it('delivers every event to its endpoint with signatures that third-party libraries accept', async () => {
    const harness = await createHarness();
    const { receiver, secret, endpointId } = await harness.endpoint();
    harness.start();
    const events = await harness.emit(300, { traceId: 'a'.repeat(32) });
    await receiver.until(300);
    await harness.caughtUp();

    expect(receiver.received).toHaveLength(300);
    expect(receiver.ids).toEqual(new Set(events.map(({ eventId }) => `msg_${uuidToBase62(eventId)}`)));
    for (const one of receiver.received) {
      const headers = flat(one.headers);
      const body = new StandardWebhook(secret).verify(one.body, headers) as Record<string, unknown>;
      const svixOnly = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('webhook-')));
      expect(() => new SvixWebhook(secret).verify(one.body, svixOnly)).not.toThrow();
      expect(() => new SvixWebhook(secret).verify(`${one.body} `, svixOnly)).toThrow();
      expect(Object.keys(body)).toEqual(['event_type', 'data', 'team_id', 'user_id', 'client_user_id']);
      expect(headers['webhook-sequence']).toMatch(/^\d+$/);
      expect(headers['traceparent']).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/);
    }
    // On a slow machine some deliveries are parked and recorded when they end.
    await expect.poll(async () => (await harness.attempts()).length, { timeout: 10_000 }).toBe(300);
    const attempts = await harness.attempts();
    expect(
      attempts.every(
        (one) => one.endpoint_id === endpointId && one.outcome === attemptOutcomes.delivered && one.attempt === 1 && one.status === 204,
      ),
    ).toBe(true);
    expect(await harness.pending()).toEqual([]);
  });

  it('sends each endpoint the events it subscribes to, and none of other teams', async () => {
    const harness = await createHarness();
    const all = await harness.endpoint();
    const some = await harness.endpoint({ filterTypes: ['daily.data.sleep.created'] });
    const other = await harness.endpoint({ teamId: (await createHarness()).teamId });
    harness.start();
    await harness.emit(5);
    await harness.emit(3, { eventType: 'daily.data.sleep.created' });
    await all.receiver.until(8);
    await some.receiver.until(3);
    await harness.caughtUp();
    expect(some.receiver.received.every((one) => one.body.includes('"daily.data.sleep.created"'))).toBe(true);
    expect(some.receiver.received).toHaveLength(3);
    expect(other.receiver.received).toEqual([]);
  });

  it('delivers every event committed after an endpoint was created', async () => {
    const harness = await createHarness();
    const first = await harness.endpoint();
    harness.start();
    for (let round = 0; round < 10; round++) {
      const late = await harness.endpoint();
      const [event] = await harness.emit(1);
      await late.receiver.until(1);
      expect(late.receiver.received[0]?.id).toBe(`msg_${uuidToBase62(event?.eventId ?? '')}`);
    }
    await first.receiver.until(10);
  });

  it('omits historical events as soon as a team disables them', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    harness.start();
    await harness.emit(1, { origin: 'historical' });
    await receiver.until(1);
    await harness.context.database.sql`UPDATE teams SET push_historical_data = false WHERE team_id = ${harness.teamId}`;
    await harness.emit(5, { origin: 'historical' });
    const [live] = await harness.emit(1);
    await receiver.until(2);
    await harness.caughtUp();
    expect(receiver.received.map((one) => one.id)).toContain(`msg_${uuidToBase62(live?.eventId ?? '')}`);
    expect(receiver.received).toHaveLength(2);
  });

  it('signs with the old and the new key for one day after a rotation', async () => {
    const harness = await createHarness();
    const { receiver, secret, endpointId } = await harness.endpoint();
    harness.start();
    const rotatedBefore = (hours: number, key: string) =>
      rotateSecret({ ...harness.context, clock: createManualClock(new Date(Date.now() - hours * 3_600_000)) }, harness.teamId, endpointId, {
        key,
      });
    const keys = [4, 5].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [string, string];
    await rotatedBefore(25, keys[0]);
    await rotatedBefore(23, keys[1]);
    await harness.emit(1);
    await receiver.until(1);
    const [one] = receiver.received;
    expect(String(one?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    const verifies = (key: string) => () => new StandardWebhook(key).verify(one?.body ?? '', flat(one?.headers ?? {}));
    for (const key of keys) expect(verifies(key)).not.toThrow();
    expect(verifies(secret)).toThrow();
  });

  it('sends a team that pinned an old contract date the events of that date', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    await harness.context.database.sql`UPDATE teams SET contract_date = '2024-01-01' WHERE team_id = ${harness.teamId}`;
    harness.start();
    await harness.emit(1, { eventType: 'historical.data.sleep.created', data: { user_id: 'u', provider: 'fitbit' } });
    await receiver.until(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ data: { is_final: true } });
  });
});
