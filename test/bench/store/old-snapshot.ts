import { readFile } from 'node:fs/promises';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { heartbeat, hotRows } from './old-snapshot-statements.ts';
import { describeMachine, median, type Benchmark, type Line } from '../report.ts';

const name = 'bench_old_snapshot';
const blockUpdates = 250;
const freeUpdates = 5000;

/**
 * A statement that is run many times, each in its own transaction, inside the server, so that figures exclude the driver. Its values are
 * parameters for the planner, as in the log.
 */
const procedure = (of: string, statement: string) => `
  CREATE PROCEDURE ${of}(updates integer) LANGUAGE plpgsql AS $$
  DECLARE shards smallint[] := '{5}'; counts integer[] := '{1}'; epochs bigint[] := '{0}';
  BEGIN
    FOR i IN 1 .. updates LOOP ${statement}; COMMIT; END LOOP;
  END $$`;

const variants = [...hotRows.flatMap((_, index) => [`now_${index}`, `before_${index}`]), 'heartbeat'];

/** Cost of updating the log's hot rows without and with a session that holds an old snapshot, and the same for the lookup by shard only. */
export const oldSnapshotBenchmark: Benchmark = {
  name: 'old-snapshot',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const url = await createDatabase(server.adminUrl, name, server.template);
    // One connection with asynchronous commits: figures measure the statement, not the disk.
    const database = openDatabase({ url, connectionsMax: 1 });
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}`)}`);
      await prepare(database);
      return await measure(database, url, isQuick ? [8000] : [8000, 20_000]);
    } finally {
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    }
  },
};

async function prepare({ sql }: Database): Promise<void> {
  await sql.unsafe('SET synchronous_commit = off');
  for (const [index, row] of hotRows.entries()) {
    await sql.unsafe(row.prepare);
    await sql.unsafe(procedure(`now_${index}`, row.now));
    await sql.unsafe(procedure(`before_${index}`, row.before));
  }
  await sql.unsafe(procedure('heartbeat', heartbeat));
  // As in an installation that has run for a while: the planner knows how small the tables are.
  for (const table of ['log_shards', 'log_positions', 'old_shards', 'old_positions']) await sql.unsafe(`VACUUM ANALYZE ${table}`);
}

/**
 * CPU microseconds of the server's process, where the kernel counts them: other load on the machine delays an update, but does
 * not increase its CPU time. Elsewhere, the elapsed time.
 */
async function workedMicros(pid: number): Promise<number> {
  const counted = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => null);
  return counted === null ? performance.now() * 1000 : Number(counted.split(' ')[0]) / 1000;
}

/** Microseconds per update of each variant: medians of blocks, which alternate so that load on the machine affects all variants. */
async function microsOf(database: Database, updates: number): Promise<ReadonlyMap<string, number>> {
  const [own] = await database.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const blocks = new Map<string, number[]>(variants.map((variant) => [variant, []]));
  for (let done = 0; done < updates; done += blockUpdates)
    for (const [variant, times] of blocks) {
      const before = await workedMicros(own?.pid ?? 0);
      await database.sql.unsafe(`CALL ${variant}(${blockUpdates})`);
      times.push(((await workedMicros(own?.pid ?? 0)) - before) / blockUpdates);
    }
  return new Map([...blocks].map(([variant, times]) => [variant, median(times)]));
}

async function measure(database: Database, url: string, heldFor: readonly number[]): Promise<Line[]> {
  const measured = 2000;
  await microsOf(database, measured);
  const free = await microsOf(database, freeUpdates);
  const lines = hotRows.map(({ what }, index) =>
    compare(`${what}, no old snapshot`, {
      micros: free.get(`now_${index}`),
      against: free.get(`before_${index}`),
      beside: 'by shard alone',
      aim: '<= 1.03',
    }),
  );
  const holder = openDatabase({ url, connectionsMax: 1 });
  try {
    // Held until rolled back: the default timeout would end it during the run.
    await holder.sql.unsafe('SET idle_in_transaction_session_timeout = 0');
    await holder.sql.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await holder.sql`SELECT count(*) FROM log_shards`;
    let updates = 0;
    for (const end of heldFor) {
      await microsOf(database, end - updates - measured);
      const held = await microsOf(database, measured);
      updates = end;
      const when = `under a snapshot held for ${end.toLocaleString('en-US')} updates`;
      for (const [index, { what }] of hotRows.entries()) {
        const [now, before] = [`now_${index}`, `before_${index}`];
        lines.push(compare(`${what} ${when}`, { micros: held.get(now), against: free.get(now), beside: 'without', aim: '<= 3' }));
        lines.push(compare(`${what} by shard alone ${when}`, { micros: held.get(before), against: free.get(before), beside: 'without' }));
      }
      lines.push(compare(`heartbeat ${when}`, { micros: held.get('heartbeat'), against: free.get('heartbeat'), beside: 'without' }));
    }
    await holder.sql.unsafe('ROLLBACK');
  } finally {
    await holder.close();
  }
  return lines;
}

interface Figures {
  readonly micros: number | undefined;
  readonly against: number | undefined;
  readonly beside: string;
  readonly aim?: string;
}

function compare(what: string, { micros = Number.NaN, against = Number.NaN, beside, aim }: Figures): Line {
  const us = (value: number) => `${value.toFixed(0)} µs`;
  return { what, figure: us(micros), against: `${us(against)} ${beside}`, ratio: micros / against, ...(aim !== undefined && { aim }) };
}
