import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase, startTestServer } from '@pulsewire/database/testing';
import { describeMachine, median, type Benchmark, type Line } from './report.ts';

const name = 'bench_old_snapshot';
const shard = 5;
const blockUpdates = 500;

/** The part of an append that raises a counter, each in a transaction of its own. */
const advance = `
  CREATE PROCEDURE bench_advance(updates integer) LANGUAGE plpgsql AS $$ BEGIN
    FOR i IN 1 .. updates LOOP
      WITH locked AS MATERIALIZED (SELECT shard FROM log_shards WHERE shard = ANY('{${shard}}'::smallint[]))
      UPDATE log_shards s SET next_offset = s.next_offset + w.n, day = log_day(s.day)
      FROM unnest('{${shard}}'::smallint[], '{1}'::integer[]) AS w(shard, n) JOIN locked USING (shard)
      WHERE s.shard = w.shard AND s.shard_count = 64
        AND CASE WHEN s.timeline IS NULL THEN true ELSE s.timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END;
      COMMIT;
    END LOOP;
  END $$`;

/** What an update of a shard's counter costs while nobody holds an old snapshot, and while somebody does. */
export const oldSnapshotBenchmark: Benchmark = {
  name: 'old-snapshot',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const url = await createDatabase(server.adminUrl, name, server.template);
    // One connection, whose commits are not waited for: a figure is the statement, not the disk.
    const database = openDatabase({ url, connectionsMax: 1 });
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}`)}`);
      await database.sql.unsafe(`SET synchronous_commit = off; ${advance}`);
      return await measure(database, url, isQuick ? [8000] : [8000, 20_000]);
    } finally {
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    }
  },
};

/** Microseconds an update: the median of blocks. */
async function microsOf(database: Database, updates: number): Promise<number> {
  const blocks: number[] = [];
  for (let done = 0; done < updates; done += blockUpdates) {
    const startMs = performance.now();
    await database.sql.unsafe(`CALL bench_advance(${blockUpdates})`);
    blocks.push(((performance.now() - startMs) / blockUpdates) * 1000);
  }
  return median(blocks);
}

async function measure(database: Database, url: string, heldFor: readonly number[]): Promise<Line[]> {
  const us = (micros: number) => `${micros.toFixed(0)} µs`;
  const measured = 2000;
  await microsOf(database, measured);
  const free = await microsOf(database, 5000);
  const lines: Line[] = [{ what: 'counter update, no old snapshot', figure: us(free) }];
  const holder = openDatabase({ url, connectionsMax: 1 });
  try {
    // Held until it is rolled back: the usual limit would end it within the run.
    await holder.sql.unsafe('SET idle_in_transaction_session_timeout = 0');
    await holder.sql.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await holder.sql`SELECT count(*) FROM log_shards`;
    let updates = 0;
    for (const end of heldFor) {
      await microsOf(database, end - updates - measured);
      const held = await microsOf(database, measured);
      updates = end;
      const what = `counter update under a snapshot held for ${end.toLocaleString('en-US')} updates`;
      lines.push({ what, figure: us(held), against: `${us(free)} without`, ratio: held / free });
    }
    await holder.sql.unsafe('ROLLBACK');
  } finally {
    await holder.close();
  }
  return lines;
}
