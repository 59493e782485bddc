import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { sleep } from '@pulsewire/kernel';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { Child } from '../../fault/harness/child.ts';
import { freePorts } from '../../support/free-ports.ts';
import { peakMiB } from '../peak-memory.ts';
import { phoneBatch, preparePhones, sendBatch, untilReady } from './phone-load.ts';
import { describeMachine, perSecond, quantile, type Benchmark, type Line } from '../report.ts';

const name = 'bench_phones';
const itemsPerBatch = 2000;

/** Many phones that send their first batches at once: the time until each has its response, and until all batches are processed. */
export const phonesBenchmark: Benchmark = {
  name: 'phones',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const url = await createDatabase(server.adminUrl, name, server.template);
    const database = openDatabase({ url, connectionsMax: 4 });
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
      return await measure(database, isQuick ? 100 : 1000);
    } finally {
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    }
  },
};

async function measure(database: Database, phones: number): Promise<readonly Line[]> {
  const { key, userIds } = await preparePhones(database, phones);
  const [port = 0, healthPort = 0] = await freePorts(2);
  const shared = { DATABASE_URL: database.url, ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`, LOG_LEVEL: 'warn' };
  const services = path.join(import.meta.dirname, '../../../services');
  const apiEnv = {
    ...shared,
    LINK_TOKEN_SECRET: randomBytes(24).toString('hex'),
    HOST: '127.0.0.1',
    PORT: String(port),
    HEALTH_PORT: '0',
  };
  const api = new Child({ name: 'api', file: path.join(services, 'api/src/main.ts'), env: apiEnv });
  const ingestEnv = { ...shared, HEALTH_PORT: String(healthPort) };
  const ingest = new Child({ name: 'ingest', file: path.join(services, 'ingest/src/main.ts'), env: ingestEnv });
  api.start();
  ingest.start();
  try {
    await Promise.all([untilReady(`http://127.0.0.1:${port}`), untilReady(`http://127.0.0.1:${healthPort}`)]);
    const apiIdle = await peakMiB(api.pid ?? 0);
    const body = Buffer.from(phoneBatch(itemsPerBatch));
    const startedMs = performance.now();
    const sent = await Promise.all(
      userIds.map((userId) => sendBatch(`http://127.0.0.1:${port}/api/v1/sdk/users/${userId}/sync`, key, body)),
    );
    const sentMs = performance.now() - startedMs;
    while ((await database.sql`SELECT 1 FROM phone_batches WHERE state = 'received' LIMIT 1`).length > 0) await sleep(200);
    const workedMs = performance.now() - startedMs;
    const [row] = await database.sql<{ done: number; samples: string }[]>`
      SELECT (SELECT count(*)::int FROM phone_batches WHERE state = 'done') AS done, (SELECT count(*) FROM all_samples) AS samples`;
    const times = sent.map(({ ms }) => ms).sort((a, b) => a - b);
    const repeats = sent.reduce((sum, one) => sum + one.repeats, 0);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    return [
      {
        what: `${phones} phones send ${itemsPerBatch} items (${(body.length / 2 ** 20).toFixed(1)} MiB) each at once; all stored`,
        figure: `${seconds(sentMs)}, median ${seconds(quantile(times, 0.5))}, p99 ${seconds(quantile(times, 0.99))}, sent again ${repeats} times`,
      },
      {
        what: `worked on: ${row?.done} batches, ${row?.samples} samples stored`,
        figure: `${seconds(workedMs)}, ${perSecond(phones * itemsPerBatch, workedMs)}`,
      },
      { what: 'memory peak of the API process above idle', figure: `${(await peakMiB(api.pid ?? 0)) - apiIdle} MiB`, aim: '<= 512 MiB' },
      { what: 'memory peak of the ingest process', figure: `${await peakMiB(ingest.pid ?? 0)} MiB` },
    ];
  } finally {
    await Promise.all([api.stop(), ingest.stop()]);
  }
}
