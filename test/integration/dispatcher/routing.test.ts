import { describe, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { createEndpoint, deleteEndpoint, updateEndpoint } from '@pulsewire/webhooks';
import { EndpointCache } from '../../../packages/webhooks/src/routing/endpoint-cache.ts';
import { useDatabase } from '../../support/database.ts';
import { useHarness } from './harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);

describe('the routing table', () => {
  it('follows every change and reads only changed rows', async () => {
    const harness = await createHarness();
    const create = async (name: string) =>
      (await createEndpoint(harness.context, harness.teamId, { url: `http://127.0.0.1:18080/${name}` })).id;
    const ids = [await create('a'), await create('b'), await create('c')];
    const changes: number[] = [];
    const logger = {
      ...silentLogger,
      info: (fields: object) => void changes.push((fields as { changed: number }).changed),
    };
    const cache = new EndpointCache({ database: file.current, cipher: harness.context.cipher, logger, onLoaded: () => {} });
    const paths = async () => {
      await cache.refresh();
      return cache.table.teams.get(harness.teamId)?.endpoints.map(({ path }) => path) ?? [];
    };
    expect(await paths()).toEqual(['/a', '/b', '/c']);
    await updateEndpoint(harness.context, harness.teamId, ids[1] ?? '', { url: 'http://127.0.0.1:18080/b2' });
    expect(await paths()).toEqual(['/a', '/b2', '/c']);
    await deleteEndpoint(harness.context, harness.teamId, ids[0] ?? '');
    expect(await paths()).toEqual(['/b2', '/c']);
    await updateEndpoint(harness.context, harness.teamId, ids[2] ?? '', { disabled: true });
    expect(await paths()).toEqual(['/b2']);
    ids.push(await create('d'));
    await updateEndpoint(harness.context, harness.teamId, ids[2] ?? '', { disabled: false });
    expect(new Set(await paths())).toEqual(new Set(['/b2', '/c', '/d']));
    await file.current.sql`UPDATE teams SET push_historical_data = false WHERE team_id = ${harness.teamId}`;
    await paths();
    expect(cache.table.teams.get(harness.teamId)?.pushesHistoricalData).toBe(false);
    expect(cache.table.endpoints.size).toBe(3);
    // First all rows, then each change, the removal, and the switch of a team without endpoints.
    expect(changes).toEqual([3, 1, 0, 1, 2, 0]);
    await cache.refresh();
    expect(changes).toHaveLength(6);
  });
});
