import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { sleep } from '@pulsewire/kernel';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { Child } from '../../fault/harness/child.ts';
import { freePorts } from '../../support/free-ports.ts';
import { startTestServer } from '../../support/test-server.ts';
import { drainBacklog, medianOf } from '../delivery/harness/measures.ts';
import { cpuWithWorkersMs } from '../delivery/harness/usage.ts';
import { withHarness } from '../delivery/harness/with-harness.ts';
import { phoneBatch, preparePhones, sendBatch, untilReady } from '../ingest/phone-load.ts';
import { perSecond, type Benchmark, type BenchOptions, type Line } from '../report.ts';
import { usedMs } from './busy-cores.ts';

const services = path.join(import.meta.dirname, '../../../services');
const itemsPerBatch = 500;
const aim = '>= 1.7 where cores allow';

interface Measured {
  /** Per second. */
  readonly rate: number;
  /** CPU time of the service for one, with all workers, in microseconds. */
  readonly cpuUs: number;
}

interface Round extends Measured {
  /** Cores that were busy meanwhile, with Postgres and everything else. */
  readonly cores: number;
}

/** Measures with one worker and with two in turn, so that both see the same machine. */
async function inTurn(rounds: number, measure: (workers: number) => Promise<Measured>): Promise<Readonly<Record<1 | 2, Round>>> {
  const taken = { 1: [] as Round[], 2: [] as Round[] };
  for (let round = 0; round < rounds; round++)
    for (const workers of round % 2 === 0 ? ([1, 2] as const) : ([2, 1] as const)) {
      const before = { ms: performance.now(), used: usedMs() };
      const { rate, cpuUs } = await measure(workers);
      taken[workers].push({ rate, cpuUs, cores: (usedMs() - before.used) / (performance.now() - before.ms) });
    }
  const median = (workers: 1 | 2) => ({
    rate: medianOf(taken[workers].map(({ rate }) => rate)),
    cpuUs: medianOf(taken[workers].map(({ cpuUs }) => cpuUs)),
    cores: medianOf(taken[workers].map(({ cores }) => cores)),
  });
  return { 1: median(1), 2: median(2) };
}

const describe = ({ rate, cores }: Round) => `${perSecond(rate, 1000)}, ${cores.toFixed(1)} of ${os.cpus().length} cores busy`;

const linesOf = (what: string, { 1: one, 2: two }: Readonly<Record<1 | 2, Round>>): readonly Line[] => [
  { what, figure: describe(two), against: `one worker ${describe(one)}`, ratio: two.rate / one.rate, aim },
  {
    what: '… CPU of the service for each of them, which depends less on other load',
    figure: `${two.cpuUs.toFixed(1)} µs`,
    against: `one worker ${one.cpuUs.toFixed(1)} µs`,
    ratio: two.cpuUs / one.cpuUs,
    aim: '<= 1.15: what sharing costs',
  },
];

/** Two worker processes against one, for a backlog of deliveries and one of phone batches. Postgres and the receiver are on the same cores. */
export const workersBenchmark: Benchmark = {
  name: 'workers',
  run: async (options) => [...(await deliver(options)), ...(await ingest(options))],
};

const deliver = (options: BenchOptions) =>
  withHarness(options, async (harness) => {
    const [endpoint] = await harness.addTeams(1);
    const teamIds = [endpoint?.teamId ?? ''];
    await harness.start(teamIds);
    const rounds = await inTurn(options.isQuick ? 1 : 3, (workers) => {
      harness.dispatcher.set({ WORKERS: String(workers) });
      return drainBacklog(harness, teamIds, options.isQuick ? 20_000 : 60_000);
    });
    return linesOf('deliveries of a backlog, signed and recorded, by two workers', rounds);
  });

async function ingest({ isQuick }: BenchOptions): Promise<readonly Line[]> {
  const server = await startTestServer({ durable: true });
  const name = 'bench_workers';
  const url = await createDatabase(server.adminUrl, name, server.template);
  const database = openDatabase({ url, connectionsMax: 4 });
  try {
    const rounds = isQuick ? 1 : 3;
    const phones = isQuick ? 100 : 200;
    const { key, userIds } = await preparePhones(database, 2 * rounds * phones);
    const env = { DATABASE_URL: url, ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`, LOG_LEVEL: 'warn' };
    const unused = [...userIds];
    const measured = await inTurn(rounds, (workers) => drainBatches(database, { key, userIds: unused.splice(0, phones), env, workers }));
    return linesOf(`batches of ${itemsPerBatch} items from as many phones, stored by two workers`, measured);
  } finally {
    await database.close();
    await dropDatabase(server.adminUrl, name);
    await server.stop();
  }
}

async function waiting({ sql }: Database): Promise<number> {
  const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM phone_batches WHERE state = 'received'`;
  return row?.count ?? 0;
}

interface Backlog {
  readonly key: string;
  readonly userIds: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workers: number;
}

/** Receives the batches while no ingest runs, then starts it. Items after the first fifth, when the code is compiled. */
async function drainBatches(database: Database, { key, userIds, env, workers }: Backlog): Promise<Measured> {
  const [port = 0, healthPort = 0] = await freePorts(2);
  const apiEnv = { ...env, LINK_TOKEN_SECRET: randomBytes(24).toString('hex'), HOST: '127.0.0.1', PORT: String(port), HEALTH_PORT: '0' };
  const api = new Child({ name: 'api', file: path.join(services, 'api/src/main.ts'), env: apiEnv });
  const ingestEnv = { ...env, HEALTH_PORT: String(healthPort), WORKERS: String(workers) };
  const worker = new Child({ name: 'ingest', file: path.join(services, 'ingest/src/main.ts'), env: ingestEnv });
  try {
    api.start();
    await untilReady(`http://127.0.0.1:${port}`);
    const address = `http://127.0.0.1:${port}/api/v1/sdk/users`;
    for (let sent = 0; sent < userIds.length; sent += 20)
      await Promise.all(
        userIds.slice(sent, sent + 20).map((userId) => sendBatch(`${address}/${userId}/sync`, key, Buffer.from(phoneBatch(itemsPerBatch)))),
      );
    await api.stop();
    worker.start();
    const warm = Math.floor(userIds.length * 0.8);
    while ((await waiting(database)) > warm) await sleep(20);
    const [startMs, startCpuMs, left] = [performance.now(), cpuWithWorkersMs(worker.pid), await waiting(database)];
    while ((await waiting(database)) > 0) await sleep(20);
    const items = left * itemsPerBatch;
    return {
      rate: (items * 1000) / (performance.now() - startMs),
      cpuUs: ((cpuWithWorkersMs(worker.pid) - startCpuMs) * 1000) / items,
    };
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}
