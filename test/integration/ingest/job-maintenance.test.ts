import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDatabase } from '@pulsewire/database';
import { isTransient } from '@pulsewire/kernel';
import { installJobs, openBoss, openJobs } from '../../../packages/ingest/src/jobs/jobs.ts';
import { pullQueue } from '../../../packages/ingest/src/jobs/queues.ts';
import { poolRunner } from '../../../packages/ingest/src/jobs/sql-runner.ts';
import { useDatabase } from '../../support/database.ts';
import { freePorts } from '../../support/free-ports.ts';

const database = useDatabase({ connectionsMax: 4 });

test('jobs whose worker died are found by the maintenance of the queue, in the shared pool', async () => {
  const errors: Error[] = [];
  const jobs = await openJobs(database.current);
  const connectionId = randomUUID();
  await database.current.transaction((tx) => jobs.wake(tx, connectionId));
  const boss = await openBoss(database.current, (error) => errors.push(error));
  try {
    await boss.fetch(pullQueue);
    // Its worker died an hour ago.
    await database.current.sql`
      UPDATE pgboss.job SET started_on = now() - interval '1 hour', expire_seconds = 1, retry_limit = 3, retry_delay = 0
      WHERE name = ${pullQueue}`;
    await boss.supervise(pullQueue);
    const [row] = await database.current.sql<{ state: string }[]>`SELECT state::text FROM pgboss.job WHERE name = ${pullQueue}`;
    expect([row?.state, errors]).toEqual(['retry', []]);
  } finally {
    await boss.stop({ graceful: false, close: false });
    await jobs.close();
  }
});

test('no connection of the pool stays in a transaction after maintenance that failed', async () => {
  const failing = poolRunner(database.current).executeSql('BEGIN; SELECT 1; SELECT 1/0; COMMIT;');
  await expect(failing).rejects.toThrow('division by zero');
  const { rows } = await poolRunner(database.current).executeSql('BEGIN; SELECT 1 AS one; COMMIT;');
  expect(rows).toEqual([{ one: 1 }]);
  const stuck = await database.current.sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
  expect(stuck).toEqual([]);
});

test('queues of a database that is away are unavailable, not missing', async () => {
  const [port] = await freePorts(1);
  const away = openDatabase({ url: `postgres://u@127.0.0.1:${port}/app`, connectionsMax: 1, connectTimeoutSeconds: 2 });
  for (const open of [openJobs, installJobs]) await expect(open(away)).rejects.toSatisfy(isTransient);
  await away.close();
});
