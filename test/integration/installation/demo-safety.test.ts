import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import {
  assertSimulatorsRun,
  markForSimulators,
  createTeam,
  listSimulatedProviders,
  removeSimulatedConnections,
} from '@pulsewire/connections';
import { adoptDemoConnections } from '../../../services/standalone/src/demo/simulation/adopt-connections.ts';
import { assertDemoConfigurable, simulatedSlugs } from '../../../services/standalone/src/demo/simulation/simulated-slugs.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

beforeEach(async () => {
  await database.current.sql`DELETE FROM connections`;
  await database.current.sql`DELETE FROM simulated_providers`;
});

async function addConnection(provider: string, accountId: string | null = null): Promise<string> {
  const connectionId = randomUUID();
  const team = await createTeam(database.current, systemClock, { name: 'Team', isSandbox: true });
  await database.current.sql`
    INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, created_at, updated_at)
    VALUES (${connectionId}, ${team.teamId}, ${randomUUID()}, ${provider}, ${accountId}, 'connected', 'platform', now(), now())`;
  await database.current.sql`
    INSERT INTO connection_tokens (connection_id, access_token, issued_at, token_version)
    VALUES (${connectionId}, '\\x00', now(), 1)`;
  return connectionId;
}

describe('the demo', () => {
  it('does not start on a database with connections that it did not create', async () => {
    await addConnection('fitbit');
    const claim = markForSimulators(database.current, ['fitbit', 'oura']);
    await expect(claim).rejects.toMatchObject({ code: 'demo_beside_real_connections', message: expect.stringContaining('fitbit (1)') });
    expect(await listSimulatedProviders(database.current)).toEqual([]);
  });

  it('restarts on a database with its own connections', async () => {
    await markForSimulators(database.current, ['fitbit']);
    await addConnection('fitbit');
    await markForSimulators(database.current, ['fitbit', 'oura']);
    expect(await listSimulatedProviders(database.current)).toEqual(['fitbit', 'oura']);
  });

  it('simulates no configured provider, and no provider at all when Fitbit is configured', () => {
    expect(simulatedSlugs({})).toContain('oura');
    expect(simulatedSlugs({ provider_oura_clientId: 'ours' })).not.toContain('oura');
    expect(() => assertDemoConfigurable({ provider_google_health_clientId: 'ours' })).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('PROVIDER_GOOGLE_HEALTH_CLIENT_ID') }),
    );
    expect(() => assertDemoConfigurable({ provider_oura_clientId: 'ours' })).not.toThrow();
  });
});

/** As left by the simulators of an earlier version. */
async function adopt(state: object): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-demo-'));
  try {
    await writeFile(path.join(dataDir, 'sandbox-fitbit.json'), JSON.stringify(state));
    await adoptDemoConnections(database.current, dataDir);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}
const grantsOf = (...ids: string[]) => ({ format: 1, grants: { grants: ids.map((ownerId) => ({ grantId: 'one', ownerId })) } });

describe('an upgrade from a version that did not record which providers are simulated', () => {
  it('recognises connections of the demo, so that none of them reaches the real provider', async () => {
    await addConnection('fitbit', '3TZHUQ');
    await addConnection('fitbit', 'GBZYX3');
    await adopt(grantsOf('3TZHUQ', 'GBZYX3'));
    await expect(assertSimulatorsRun(database.current, [])).rejects.toMatchObject({ code: 'demo_connections_present' });
    await markForSimulators(database.current, ['fitbit', 'oura']);
  });

  it('does not mistake a real connection for one of the demo', async () => {
    await addConnection('fitbit', '3TZHUQ');
    await addConnection('fitbit', 'REAL01');
    await adopt(grantsOf('3TZHUQ'));
    await adopt({ format: 1 });
    expect(await listSimulatedProviders(database.current)).toEqual([]);
    await expect(markForSimulators(database.current, ['fitbit'])).rejects.toMatchObject({ code: 'demo_beside_real_connections' });
  });
});

describe('an installation without the demo', () => {
  it('does not start while connections to simulators remain: their tokens would reach real providers', async () => {
    await markForSimulators(database.current, ['fitbit', 'oura']);
    await addConnection('fitbit');
    await expect(assertSimulatorsRun(database.current, ['oura'])).rejects.toMatchObject({ code: 'demo_connections_present' });
    await assertSimulatorsRun(database.current, ['fitbit', 'oura']);
  });

  it('starts once they are removed, sends the provider no request and keeps real connections', async () => {
    await markForSimulators(database.current, ['fitbit']);
    const [simulated, real] = [await addConnection('fitbit'), await addConnection('withings')];
    const dropped: string[] = [];
    const removed = await removeSimulatedConnections(database.current, {
      clock: systemClock,
      onDeregistered: async (_tx, connection) => void dropped.push(connection.connectionId),
    });
    expect([removed, dropped]).toEqual([1, [simulated]]);
    const left = await database.current.sql<{ connection_id: string }[]>`SELECT connection_id FROM connection_tokens`;
    expect(left.map((row) => row.connection_id)).toEqual([real]);
    expect(await database.current.sql`SELECT 1 FROM deregistrations`).toHaveLength(0);
    await assertSimulatorsRun(database.current, []);
  });
});
