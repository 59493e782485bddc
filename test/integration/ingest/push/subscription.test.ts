import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { subscriptionIdOf, wakeSubscriptions } from '@pulsewire/ingest';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, eventsOf, windowsOf, type Harness } from '../support/harness.ts';
import { providerError } from '../support/wristband.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
});
afterEach(() => harness.close());

describe('a subscription', () => {
  const stateOf = async (connectionId: string) =>
    (await database.current.sql`SELECT subscription, subscription_error FROM pull_plans WHERE connection_id = ${connectionId}`)[0];

  test('is created after linking with a stable id', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    expect(harness.wristband.subscriptions).toEqual([`/subscriptions/${subscriptionIdOf(connectionId)}`]);
    expect(await stateOf(connectionId)).toEqual({ subscription: 'active', subscription_error: null });
  });

  test('that fails leaves the connection connected, stores the reason, and is retried', async () => {
    harness.wristband.onCall = ({ path }) => {
      if (path.startsWith('/subscriptions')) throw providerError('provider_transient', { status: 500 });
    };
    const { connectionId, userId } = await harness.link();
    await harness.ingest.drain();
    expect(await stateOf(connectionId)).toEqual({ subscription: 'failed', subscription_error: 'provider_transient' });
    expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(0);
    const [job] = await database.current
      .sql`SELECT state FROM pgboss.job WHERE name = 'ingest-subscribe' AND singleton_key = ${connectionId}`;
    expect(job?.['state']).toBe('retry');
    expect((await windowsOf(database.current, connectionId)).every((window) => window.state === 'done')).toBe(true);
  });

  test('that always fails does not block other subscriptions', async () => {
    const [first, second] = [await harness.link(), await harness.link()];
    const waiting = async () => {
      await database.current.sql`UPDATE pull_plans SET subscription = 'failed'`;
      await database.current.sql`DELETE FROM pgboss.job WHERE name = 'ingest-subscribe'`;
      harness.clock.advance(3_600_000);
      await wakeSubscriptions({ ...harness.plan, database: database.current }, 1);
      const [job] = await database.current.sql<
        { singleton_key: string }[]
      >`SELECT singleton_key FROM pgboss.job WHERE name = 'ingest-subscribe'`;
      return job?.singleton_key;
    };
    const requested = new Set([await waiting(), await waiting()]);
    expect(requested).toEqual(new Set([first.connectionId, second.connectionId]));
  });
});
