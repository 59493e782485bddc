import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createHarness, eventsOf, windowsOf, type Harness } from './support/harness.ts';
import { providerError } from './support/wristband.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
});
afterEach(() => harness.close());

describe('a provider that has shut down', () => {
  const gone = () => {
    throw providerError('provider_discontinued', { status: 410 });
  };
  const connectionOf = async (connectionId: string) => {
    const [row] = await database.current.sql<{ status: string; error_type: string | null; error_message: string | null }[]>`
      SELECT status, error_type, error_message FROM connections WHERE connection_id = ${connectionId}`;
    return row;
  };

  const passHour = async () => {
    harness.clock.advance(3_600_000);
    await harness.planDuePulls();
    await harness.ingest.drain();
  };

  test('is asked once more an hour later; then the connection ends with one event, and is not read again', async () => {
    const { connectionId, userId } = await harness.link();
    harness.wristband.onCall = gone;
    await harness.ingest.drain();
    expect(await connectionOf(connectionId)).toMatchObject({ status: 'connected' });
    const asked = harness.wristband.calls.length;
    await passHour();
    expect(await connectionOf(connectionId)).toEqual({
      status: 'error',
      error_type: 'deregistered_per_provider',
      error_message: 'Wristband has shut down the interface that this connection uses',
    });
    expect(harness.wristband.calls).toHaveLength(asked + 1);
    expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(1);
    await passHour();
    expect(harness.wristband.calls).toHaveLength(asked + 1);
  });

  test('ends a connection that was read until then when nothing was read for six hours', async () => {
    const { connectionId } = await harness.link();
    await harness.ingest.drain();
    harness.wristband.onCall = gone;
    const states: (string | undefined)[] = [];
    for (let hours = 1; hours <= 6; hours++) {
      await passHour();
      states.push((await connectionOf(connectionId))?.status);
    }
    expect(states).toEqual(['connected', 'connected', 'connected', 'connected', 'connected', 'error']);
  });

  test('is not concluded from one address that is gone while others are read', async () => {
    const { connectionId } = await harness.link();
    harness.wristband.onCall = ({ path }) => (path.startsWith('/scales') ? gone() : undefined);
    await harness.ingest.drain();
    for (let hours = 1; hours <= 10; hours++) await passHour();
    expect(await connectionOf(connectionId)).toMatchObject({ status: 'connected' });
    const gaveUp = (await windowsOf(database.current, connectionId)).filter(({ error_code: code }) => code === 'provider_discontinued');
    expect(gaveUp.length).toBeGreaterThan(0);
  });
});
