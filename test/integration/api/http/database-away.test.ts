import { expect, it } from 'vitest';
import { assertWritable, openDatabase } from '@pulsewire/database';
import { startCommitCutter } from '../../../support/commit-cutter.ts';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness } from '../support/harness.ts';

const database = useDatabase();

it('responds with 503 and Retry-After while the database is away', async () => {
  const way = await startCommitCutter(database.url);
  const pool = openDatabase({ url: way.url, name: 'away', connectionsMax: 2, connectTimeoutSeconds: 1 });
  const harness = await createApiHarness(pool);
  const caller = await harness.newCaller();
  const create = () => caller.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() });
  expect((await create()).status).toBe(200);
  await expect(assertWritable(pool)).resolves.toBeUndefined();
  await way.close();
  for (let request = 0; request < 3; request++) {
    const reply = await create();
    expect([reply.status, reply.headers['retry-after'], reply.body.detail]).toEqual([
      503,
      '2',
      expect.stringMatching(/Send the request again/),
    ]);
  }
  await expect(assertWritable(pool)).rejects.toThrow();
  await harness.close();
  await pool.close();
});

it('is not ready when the database can only be read', async () => {
  const pool = openDatabase({ url: database.url, name: 'reads', connectionsMax: 1 });
  await pool.sql`SET default_transaction_read_only = on`;
  await expect(assertWritable(pool)).rejects.toMatchObject({ code: '25006' });
  // The connection is closed, so the next check reaches a server that can be written.
  await expect(assertWritable(pool)).resolves.toBeUndefined();
  await pool.close();
});
