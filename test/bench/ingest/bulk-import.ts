import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { noMetrics, silentLogger, sleep, systemClock } from '@pulsewire/kernel';
import { createApiKey, createTeam, putOAuthCredential, runImport, updateTeam } from '@pulsewire/connections';
import { createCipher, openDatabase, parseCipherKeys, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog } from '@pulsewire/eventlog';
import { openJobs, planImported } from '@pulsewire/ingest';
import { findConnector } from '@pulsewire/providers';
import { Child } from '../../fault/harness/child.ts';
import { freePorts } from '../../support/free-ports.ts';
import { peakMiB } from '../peak-memory.ts';
import { describeMachine, perSecond, type Benchmark, type Line } from '../report.ts';

const name = 'bench_bulk_import';
const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;

/** How fast an import is received and processed, and how much memory the API needs for a body of any length. */
export const bulkImportBenchmark: Benchmark = {
  name: 'bulk-import',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const url = await createDatabase(server.adminUrl, name, server.template);
    const database = openDatabase({ url, connectionsMax: 4 });
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
      return await measure(database, isQuick ? 10_000 : 100_000);
    } finally {
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    }
  },
};

async function measure(database: Database, count: number): Promise<readonly Line[]> {
  const { teamId, key } = await prepare(database);
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: encryptionKeys,
    LINK_TOKEN_SECRET: randomBytes(24).toString('hex'),
    HOST: '127.0.0.1',
    PORT: String(port),
    HEALTH_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const api = new Child({ name: 'api', file: path.join(import.meta.dirname, '../../../services/api/src/main.ts'), env });
  api.start();
  try {
    while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) await sleep(100);
    const idle = await peakMiB(api.pid ?? 0);
    await upload(database, { url, key, teamId, count: count / 10 });
    const smallPeak = await peakMiB(api.pid ?? 0);
    const large = await upload(database, { url, key, teamId, count });
    const largePeak = await peakMiB(api.pid ?? 0);
    const worked = await work(database, large.operationId);
    const text = count.toLocaleString('en-US');
    return [
      {
        what: `${text} recipes received and stored, tokens sealed`,
        figure: `${perSecond(count, large.ms)} (${large.mebibytes.toFixed(0)} MiB in ${(large.ms / 1000).toFixed(1)} s)`,
      },
      {
        // Varies between garbage collections: over 400,000 recipes it rises and falls between the same two values.
        what: `memory peak of the API process above idle, after ${text} recipes`,
        figure: `${largePeak - idle} MiB of ${largePeak}`,
        against: `${smallPeak - idle} MiB after a tenth of them`,
        aim: '<= 150 MiB, whatever the length',
      },
      { what: `${text} recipes worked on, one worker`, figure: `${perSecond(count, worked.ms)} (${(worked.ms / 1000).toFixed(1)} s)` },
      { what: 'connections, created events, queued histories', figure: worked.figures },
    ];
  } finally {
    await api.stop();
  }
}

async function prepare(database: Database): Promise<{ teamId: string; key: string }> {
  await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
  const team = await createTeam(database, systemClock, { name: 'bench', isSandbox: false });
  await updateTeam(database, team.teamId, { bulkOperations: true });
  const cipher = createCipher(parseCipherKeys(encryptionKeys));
  const application = { clientId: 'id', clientSecret: 'secret', redirectUrlOverride: null };
  await putOAuthCredential(database, { cipher, clock: systemClock }, { teamId: team.teamId, provider: 'fitbit', ...application });
  const { key } = await createApiKey(database, systemClock, { team, label: 'bench' });
  return { teamId: team.teamId, key };
}

interface Upload {
  readonly url: string;
  readonly key: string;
  readonly teamId: string;
  readonly count: number;
}

async function upload(
  database: Database,
  { url, key, teamId, count }: Upload,
): Promise<{ operationId: string; ms: number; mebibytes: number }> {
  const userIds = Array.from({ length: count }, () => randomUUID());
  await database.sql`
    INSERT INTO users (user_id, team_id, client_user_id, created_at) SELECT u, ${teamId}::uuid, u::text, now() FROM unnest(${userIds}::uuid[]) u`;
  let bytes = 0;
  function* pieces(): Generator<Buffer> {
    yield Buffer.from('{"provider":"fitbit","connections":[');
    for (let from = 0; from < count; from += 200) {
      const text = userIds.slice(from, from + 200).map((userId) =>
        JSON.stringify({
          user_id: userId,
          access_token: randomBytes(180).toString('base64url'),
          refresh_token: randomBytes(32).toString('hex'),
          provider_id: userId.slice(0, 6).toUpperCase(),
          expires_at: 1_900_000_000,
          oauth_scopes: ['activity', 'heartrate', 'profile', 'sleep', 'weight'],
        }),
      );
      const piece = Buffer.from(`${from === 0 ? '' : ','}${text.join(',')}`);
      bytes += piece.length;
      yield piece;
    }
    yield Buffer.from(']}');
  }
  const start = performance.now();
  const response = await fetch(`${url}/v2/link/bulk_import`, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    body: ReadableStream.from(pieces()),
    duplex: 'half',
  });
  if (response.status !== 202) throw new Error(`bulk_import answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  await response.arrayBuffer();
  return { operationId: response.headers.get('x-bulk-operation-id') ?? '', ms: performance.now() - start, mebibytes: bytes / 2 ** 20 };
}

async function work(database: Database, operationId: string): Promise<{ ms: number; figures: string }> {
  const jobs = await openJobs(database);
  const planning = { jobs, clock: systemClock, connectorFor: findConnector, random: Math.random };
  const context = {
    database,
    cipher: createCipher(parseCipherKeys(encryptionKeys)),
    clock: systemClock,
    logger: silentLogger,
    metrics: noMetrics,
    connectorFor: findConnector,
    gate: { refresh: () => Promise.reject(new Error('No recipe has expired')) },
    requestWork: jobs.workBulk.bind(jobs),
    onImported: (...[tx, connections]: Parameters<NonNullable<Parameters<typeof runImport>[0]['onImported']>>) =>
      planImported(planning, tx, connections),
  };
  const start = performance.now();
  for (;;) {
    await runImport(context, operationId, new AbortController().signal);
    const [row] = await database.sql<{ status: string }[]>`SELECT status FROM bulk_operations WHERE operation_id = ${operationId}`;
    if (row?.status !== 'in_progress') break;
  }
  const ms = performance.now() - start;
  await jobs.close();
  const [row] = await database.sql<{ c: number; e: number; t: number }[]>`
    SELECT (SELECT count(*)::int FROM connections) AS c, (SELECT count(*)::int FROM log_events) AS e, (SELECT count(*)::int FROM bulk_turns) AS t`;
  return { ms, figures: `${row?.c}, ${row?.e}, ${row?.t}` };
}
