import path from 'node:path';
import { hourMs, minuteMs } from '@pulsewire/kernel';
import { openDatabase, type Database } from '@pulsewire/database';
import { maintainVault } from '@pulsewire/ingest';
import { connectors, type Connector } from '@pulsewire/providers';
import type { ProviderSimulator, SimulatedAccount, SimulatorEntry } from '@pulsewire/sandbox';
import { maintainReceipts } from '@pulsewire/store';
import {
  createConformanceHarness,
  startedAt,
  type ConformanceHarness,
  type Linked,
} from '../../integration/providers/conformance/harness.ts';
import { readCounters, topStatements, type Counters } from '../delivery/harness/counters.ts';
import { startBenchServer, type BenchServer } from '../delivery/harness/server.ts';
import { postgresCpuMs } from '../delivery/harness/usage.ts';
import { Remote } from '../remote.ts';
import { describeMachine, type Benchmark, type Line } from '../report.ts';
import type { RemoteSimulator, RemoteStart } from './simulator-process.ts';

const file = path.join(import.meta.dirname, 'simulator-process.ts');
const slugs = ['oura', 'fitbit', 'dexcom_v3', 'withings', 'whoop_v2'];

/**
 * The cost of a provider call that brings nothing new: a day of polls as often as in production, planning, jobs and the daily reading of the
 * account included. The simulator runs in a process of its own and is not counted.
 */
export const pollBenchmark: Benchmark = {
  name: 'poll',
  async run({ isQuick, only = isQuick ? slugs.slice(0, 3) : slugs }) {
    const lines: Line[] = [];
    for (const connector of connectors.filter(({ slug }) => only.includes(slug))) {
      // A server for each: the clock of a harness begins on the same day.
      const server = await startBenchServer();
      try {
        if (lines.length === 0) console.log(`  ${describeMachine(server.describe)}`);
        lines.push(...(await measureProvider(server, connector, isQuick)));
      } finally {
        await server.close();
      }
    }
    return lines;
  },
};

async function measureProvider(server: BenchServer, connector: Connector, isQuick: boolean): Promise<readonly Line[]> {
  const remote = new Remote(file);
  const database = openDatabase({ url: server.url, connectionsMax: 4 });
  try {
    const today = startedAt.toISOString().slice(0, 10);
    await maintainVault(database, { today, keepDays: 30 });
    await maintainReceipts(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
    const accounts: SimulatedAccount[] = [];
    const harness = await createConformanceHarness(database, connector, remoteEntry(remote, connector.slug, accounts));
    try {
      const polled: Polled = { harness, remote, server, everyMs: connector.pollEveryMs ?? (connector.push ? hourMs : 15 * minuteMs) };
      for (let index = 0; index < (isQuick ? 8 : 16); index++) {
        const account = await remote.ask<SimulatedAccount>('addAccount', `Person ${index}`);
        await linkAs(harness, account);
      }
      await harness.drainAll();
      // Reads what the history has left open, and compiles the code.
      await polls(polled, Math.ceil((isQuick ? 6 * hourMs : 12 * hourMs) / polled.everyMs));
      return await measure(polled, Math.ceil((isQuick ? 12 * hourMs : 24 * hourMs) / polled.everyMs));
    } finally {
      await harness.close();
    }
  } finally {
    await database.close();
    await remote.close();
  }
}

const linkAs = (harness: ConformanceHarness, account: SimulatedAccount): Promise<Linked> => harness.link(account, {}, 10);

/** The simulator of the other process in the form that a harness starts; faults and pushes are not part of the measurement. */
function remoteEntry(remote: Remote, slug: string, accounts: readonly SimulatedAccount[]): SimulatorEntry {
  return {
    slug,
    async start({ clock: _clock, ...options }) {
      const order: RemoteStart = { ...options, slug, startedAt };
      const facts = await remote.ask<RemoteSimulator>('start', order);
      const inert = { setSlowMs() {}, set() {}, clear() {}, counts: () => ({}) };
      const started: Partial<ProviderSimulator> = { ...facts, accounts, pushes: null, close: async () => {} };
      return Object.assign(started, { faults: inert }) as unknown as ProviderSimulator;
    },
  };
}

interface Polled {
  readonly harness: ConformanceHarness;
  readonly remote: Remote;
  readonly server: BenchServer;
  readonly everyMs: number;
}

async function polls({ harness, remote, everyMs }: Polled, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await remote.ask('advance', everyMs);
    await harness.poll(everyMs);
    await harness.drain();
  }
}

const tables = ['pull_windows', 'raw_answers', 'sample_receipts', 'summary_receipts'] as const;

interface State {
  readonly calls: number;
  readonly counters: Counters;
  /** Ids of writing transactions drawn so far. */
  readonly transactions: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly events: number;
  readonly processMs: number;
  readonly postgresMs: number;
}

async function stateOf({ remote, server }: Polled): Promise<State> {
  const { database } = server;
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table] = await countRows(database, table);
  const [drawn] = await database.sql<{ next: string }[]>`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`;
  const { user, system } = process.cpuUsage();
  return {
    calls: await remote.ask<number>('calls'),
    counters: await readCounters(database),
    transactions: Number(drawn?.next),
    rows,
    events: await countRows(database, 'log_events'),
    processMs: (user + system) / 1000,
    postgresMs: postgresCpuMs(server.pid),
  };
}

async function countRows({ sql }: Database, table: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM ${sql(table)}`;
  return row?.count ?? 0;
}

async function measure(polled: Polled, count: number): Promise<readonly Line[]> {
  const { slug } = polled.harness.connector;
  // Otherwise a page image of each page would be in the WAL of its first change.
  await polled.server.database.sql`CHECKPOINT`;
  await polls(polled, 1);
  const before = await stateOf(polled);
  await polls(polled, count);
  const after = await stateOf(polled);
  const calls = after.calls - before.calls;
  const each = (value: number, digits = 1): string => (value / calls).toFixed(digits);
  console.log(`  ${slug}: ${calls} calls in ${count} polls, ${after.events - before.events} events; statements a call, the most frequent:`);
  for (const line of topStatements(before.counters, after.counters, calls, 12)) console.log(`    ${line}`);
  const processMs = after.processMs - before.processMs;
  const postgresMs = after.postgresMs - before.postgresMs;
  const statements = after.counters.statements - before.counters.statements;
  const rows = tables.map((table) => `${table} ${each((after.rows[table] ?? 0) - (before.rows[table] ?? 0), 2)}`);
  return [
    {
      what: `${slug}: CPU of a call without news`,
      figure: `${each(processMs + postgresMs)} ms (process ${each(processMs)}, Postgres ${each(postgresMs)})`,
      aim: '<= 4 ms',
    },
    { what: `${slug}: statements of it, BEGIN and COMMIT among them`, figure: each(statements), aim: '<= 4' },
    { what: `${slug}: transactions that write`, figure: each(after.transactions - before.transactions), aim: '<= 1' },
    { what: `${slug}: WAL`, figure: `${each(after.counters.walBytes - before.counters.walBytes, 0)} B`, aim: '<= 300 B' },
    { what: `${slug}: new rows`, figure: rows.join(', '), aim: '0' },
  ];
}
