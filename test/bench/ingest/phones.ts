import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { sleep, systemClock } from '@pulsewire/kernel';
import { createApiKey, createTeam } from '@pulsewire/connections';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog } from '@pulsewire/eventlog';
import { Child } from '../../fault/harness/child.ts';
import { freePorts } from '../../support/free-ports.ts';
import { peakMiB } from '../peak-memory.ts';
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

/** The users, each with a connected phone, and the key of their app. */
async function prepare(database: Database, phones: number): Promise<{ readonly key: string; readonly userIds: readonly string[] }> {
  await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
  const team = await createTeam(database, systemClock, { name: 'bench', isSandbox: false });
  const { key } = await createApiKey(database, systemClock, { team, label: 'bench' });
  const rows = await database.sql<{ user_id: string }[]>`
    INSERT INTO users (user_id, team_id, client_user_id, created_at)
    SELECT gen_random_uuid(), ${team.teamId}::uuid, 'user-' || place, now() FROM generate_series(1, ${phones}::integer) AS place RETURNING user_id`;
  await database.sql`
    INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, created_at, updated_at)
    SELECT gen_random_uuid(), team_id, user_id, 'apple_health_kit', user_id::text, 'connected', 'platform', now(), now() FROM users`;
  return { key, userIds: rows.map((row) => row.user_id) };
}

/** Heart rates and steps of a watch, as the SDK writes them: every key is present. */
function batch(): string {
  const startMs = Date.now() - itemsPerBatch * 60_000;
  const records = Array.from({ length: itemsPerBatch }, (_, index) => {
    const isSteps = index % 2 === 0;
    const time = (minute: number) => new Date(startMs + minute * 60_000).toISOString().replace(/\.\d+/, '');
    return {
      id: randomUUID(),
      type: isSteps ? 'HKQuantityTypeIdentifierStepCount' : 'HKQuantityTypeIdentifierHeartRate',
      startDate: time(index),
      endDate: time(isSteps ? index + 1 : index),
      zoneOffset: null,
      source: { appId: 'com.apple.health', deviceName: 'Watch', deviceModel: 'Watch7,5', deviceType: 'watch', recordingMethod: null },
      value: isSteps ? index % 120 : 50 + (index % 90),
      unit: isSteps ? 'count' : 'bpm',
      parentId: null,
      metadata: { HKTimeZone: 'Europe/Berlin' },
    };
  });
  return JSON.stringify({ provider: 'apple', sdkVersion: '0.6.0', syncTimestamp: new Date().toISOString(), data: { records } });
}

/** Sends until the batch is accepted, as the SDK does after a 503 or a failed connection. Returns the time and the number of retries. */
async function send(address: string, key: string, body: Buffer): Promise<{ readonly ms: number; readonly repeats: number }> {
  const startedMs = performance.now();
  const headers = { 'content-type': 'application/json', 'x-open-wearables-api-key': key };
  for (let repeats = 0; ; repeats += 1) {
    const response = await fetch(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(600_000) }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 202) return { ms: performance.now() - startedMs, repeats };
    if (response && response.status !== 503) throw new Error(`A batch was answered with ${response.status}`);
    await sleep(Number(response?.headers.get('retry-after') ?? 1) * 1000 * (1 + Math.random()));
  }
}

async function untilReady(address: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (
      await fetch(`${address}/health/ready`).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
    await sleep(200);
  }
  throw new Error('The service did not get ready');
}

async function measure(database: Database, phones: number): Promise<readonly Line[]> {
  const { key, userIds } = await prepare(database, phones);
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
    const body = Buffer.from(batch());
    const startedMs = performance.now();
    const sent = await Promise.all(userIds.map((userId) => send(`http://127.0.0.1:${port}/api/v1/sdk/users/${userId}/sync`, key, body)));
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
