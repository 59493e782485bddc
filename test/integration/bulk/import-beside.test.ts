import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listConnections } from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/support/harness.ts';
import { createBulkHarness, recipe, type BulkHarness } from './harness.ts';

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

const send = (connections: unknown) => caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections });

describe('an import', () => {
  it('deregisters connections of another account or application, and pulls the new history', async () => {
    const users = await harness.imported(caller, 3);
    const idsOf = async () => {
      const connections = await listConnections(database.current, caller.team.teamId, users);
      return users.map((userId) => connections.find((connection) => connection.userId === userId)?.connectionId);
    };
    const before = await idsOf();
    const [, moved = '', platform = ''] = users;
    await database.current.sql`UPDATE connections SET application = 'platform' WHERE user_id = ${platform}`;
    await send(users.map((userId) => recipe(userId, userId === moved ? { provider_id: 'elsewhere' } : {})));
    await harness.work();
    const after = await idsOf();
    expect(after.map((id, i) => id === before[i])).toEqual([true, false, false]);
    expect(new Set(harness.replaced)).toEqual(new Set(before.slice(1)));
    const notes = await database.current.sql<{ connection_id: string; application: string; provider_user_id: string }[]>`
      SELECT connection_id, application, provider_user_id FROM deregistrations WHERE team_id = ${caller.team.teamId} ORDER BY application DESC`;
    expect(notes.map((note) => ({ ...note }))).toEqual([
      { connection_id: before[1], application: 'team', provider_user_id: `account-${moved.slice(0, 8)}` },
      { connection_id: before[2], application: 'platform', provider_user_id: `account-${platform.slice(0, 8)}` },
    ]);
    const queued = await database.current.sql`SELECT 1 FROM bulk_turns WHERE connection_id = ANY(${after.slice(1) as string[]}::uuid[])`;
    expect(queued).toHaveLength(2);
  });

  it('ends even when the user of a recipe is erased before it is processed', async () => {
    const [erased = '', user = ''] = await harness.newUsers(caller, 2);
    await send([recipe(erased), recipe(user)]);
    await database.current.sql`DELETE FROM bulk_items WHERE user_id = ${erased}`;
    await harness.work();
    expect((await caller.call('GET', '/v2/link/bulk_op')).body.data[0]).toMatchObject({ status: 'success', pending: 0 });
    expect(await listConnections(database.current, caller.team.teamId, [user])).toHaveLength(1);
  });
});
