import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { sleep, systemClock } from '@pulsewire/kernel';
import { createTeam } from '@pulsewire/connections';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog } from '@pulsewire/eventlog';
import { openJobs, planConnection, pushSegmentOf } from '@pulsewire/ingest';
import { findConnector } from '@pulsewire/providers';
import { Child } from '../../fault/harness/child.ts';
import { freePorts } from '../../support/free-ports.ts';
import { peakMiB } from '../peak-memory.ts';
import { describeMachine, type Benchmark, type Line } from '../report.ts';

const name = 'bench_large_push';
const clientId = 'bench';
const verificationCode = randomBytes(16).toString('hex');
const users = 40;
const secondsPerActivity = 3600;

/**
 * Cost of the largest push that Garmin documents: memory and time of the API to store it, alone and several at once, and of a worker to
 * apply it.
 */
export const largePushBenchmark: Benchmark = {
  name: 'large-push',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const url = await createDatabase(server.adminUrl, name, server.template);
    const database = openDatabase({ url, connectionsMax: 4 });
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
      return await measure(database, (isQuick ? 20 : 99) * 2 ** 20);
    } finally {
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    }
  },
};

async function measure(database: Database, bytes: number): Promise<readonly Line[]> {
  await prepare(database);
  const [port = 0, healthPort = 0] = await freePorts(2);
  const shared = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    PROVIDER_GARMIN_CLIENT_ID: clientId,
    PROVIDER_GARMIN_CLIENT_SECRET: 'secret',
    PROVIDER_GARMIN_PUSH_VERIFICATION_CODE: verificationCode,
    LOG_LEVEL: 'warn',
  };
  const services = path.join(import.meta.dirname, '../../../services');
  const apiEnv = { ...shared, LINK_TOKEN_SECRET: randomBytes(24).toString('hex'), HOST: '127.0.0.1', PORT: String(port), HEALTH_PORT: '0' };
  const api = new Child({ name: 'api', file: path.join(services, 'api/src/main.ts'), env: apiEnv });
  const ingest = new Child({
    name: 'ingest',
    file: path.join(services, 'ingest/src/main.ts'),
    env: { ...shared, HEALTH_PORT: String(healthPort) },
  });
  api.start();
  try {
    await untilReady(`http://127.0.0.1:${port}`);
    const apiIdle = await peakMiB(api.pid ?? 0);
    const address = `http://127.0.0.1:${port}/v2/push/garmin/${pushSegmentOf(verificationCode, 'garmin', 'platform')}`;
    const one = await post(address, bytes);
    const apiPeak = await peakMiB(api.pid ?? 0);
    const [stored] = await database.sql<{ size: string; raw: string }[]>`
      SELECT sum(octet_length(b.body)) AS size, max(p.body_bytes) AS raw FROM push_bodies b JOIN push_inbox p USING (push_id, day)`;
    ingest.start();
    await untilReady(`http://127.0.0.1:${healthPort}`);
    const startedMs = performance.now();
    const ingestIdle = await peakMiB(ingest.pid ?? 0);
    while ((await database.sql`SELECT 1 FROM push_inbox WHERE state = 'received'`).length > 0) await sleep(200);
    const workMs = performance.now() - startedMs;
    const ingestPeak = await peakMiB(ingest.pid ?? 0);
    const [row] = await database.sql<{ state: string; notices: number; streams: string; parts: string }[]>`
      SELECT state, notices, (SELECT count(*) FROM workout_streams) AS streams, (SELECT count(DISTINCT kept_at) FROM raw_answers) AS parts FROM push_inbox`;
    await ingest.stop();
    const all = await Promise.all(Array.from({ length: 6 }, () => post(address, bytes)));
    const crowdPeak = await peakMiB(api.pid ?? 0);
    const slowest = Math.max(...all.map(({ lastByteMs }) => lastByteMs));
    const mebibytes = (Number(stored?.raw) / 2 ** 20).toFixed(0);
    return [
      {
        what: `a push of ${mebibytes} MiB received and stored (${(Number(stored?.size) / 2 ** 20).toFixed(0)} MiB compressed)`,
        figure: `${(one.ms / 1000).toFixed(1)} s, ${(one.lastByteMs / 1000).toFixed(1)} s after its last byte`,
        aim: '<= 30 s',
      },
      { what: 'memory peak of the API process above idle', figure: `${apiPeak - apiIdle} MiB of ${apiPeak}` },
      {
        what: `worked on by one worker: ${row?.notices} activities, ${row?.streams} streams of ${secondsPerActivity} readings, ${row?.state}`,
        figure: `${(workMs / 1000).toFixed(1)} s`,
      },
      { what: 'memory peak of the ingest process above idle', figure: `${ingestPeak - ingestIdle} MiB of ${ingestPeak}` },
      {
        what: `six such pushes at once, answered ${all.map(({ status }) => status).join(' ')}`,
        figure: `${(Math.max(...all.map(({ ms }) => ms)) / 1000).toFixed(1)} s, ${(slowest / 1000).toFixed(1)} s after the last byte`,
        aim: '<= 30 s',
      },
      {
        what: 'memory peak of the API process then, above idle',
        figure: `${crowdPeak - apiIdle} MiB of ${crowdPeak}`,
        aim: '<= 512 MiB in all',
      },
    ];
  } finally {
    await Promise.all([api.stop(), ingest.stop()]);
  }
}

async function prepare(database: Database): Promise<void> {
  await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
  const { teamId } = await createTeam(database, systemClock, { name: 'bench', isSandbox: false });
  const jobs = await openJobs(database);
  const planning = { jobs, clock: systemClock, connectorFor: findConnector, random: Math.random };
  for (let place = 0; place < users; place++) {
    const [userId, connectionId] = [randomUUID(), randomUUID()];
    await database.transaction(async (tx) => {
      await tx.sql`INSERT INTO users (user_id, team_id, client_user_id, created_at) VALUES (${userId}, ${teamId}, ${userId}, now())`;
      await tx.sql`
        INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, granted_scopes, created_at, updated_at)
        VALUES (${connectionId}, ${teamId}, ${userId}, 'garmin', ${`user-${place}`}, 'connected', 'platform', '{ACTIVITY_EXPORT}', now(), now())`;
      await planConnection(planning, tx, connectionId);
      // Nothing else may be pulled: no provider responds here.
      await tx.sql`DELETE FROM pull_windows`;
      await tx.sql`UPDATE pull_plans SET stopped_at = now(), next_tick_at = NULL`;
    });
  }
  await database.sql`DELETE FROM pgboss.job`;
  await jobs.close();
}

/** An activity of an hour with a reading every second, in the known format of Garmin. */
function activity(place: number): string {
  const start = 1_760_000_000 + place * 7200;
  const summary = {
    activityId: place,
    activityType: 'RUNNING',
    startTimeInSeconds: start,
    startTimeOffsetInSeconds: 7200,
    durationInSeconds: secondsPerActivity,
  };
  let [latitude, longitude, metres] = [52.5, 13.4, 0];
  const samples = Array.from({ length: secondsPerActivity }, (_, second) => {
    latitude += (Math.random() - 0.5) / 10_000;
    longitude += (Math.random() - 0.5) / 10_000;
    metres += 2.5 + Math.random();
    return {
      startTimeInSeconds: start + second,
      latitudeInDegree: Number(latitude.toFixed(8)),
      longitudeInDegree: Number(longitude.toFixed(8)),
      elevationInMeters: Number((34 + Math.random() * 5).toFixed(3)),
      heartRate: 130 + Math.floor(Math.random() * 30),
      speedMetersPerSecond: Number((2.5 + Math.random()).toFixed(4)),
      stepsPerMinute: 160 + Math.floor(Math.random() * 20),
      totalDistanceInMeters: Number(metres.toFixed(2)),
      timerDurationInSeconds: second,
      clockDurationInSeconds: second,
      movingDurationInSeconds: second,
    };
  });
  return JSON.stringify({ userId: `user-${place % users}`, summaryId: `${place}-detail`, activityId: place, summary, samples });
}

let activities = 0;
function* body(bytesMax: number): Generator<Buffer> {
  yield Buffer.from('{"activityDetails":[');
  for (let bytes = 0, isFirst = true; ; isFirst = false) {
    const piece = Buffer.from(`${isFirst ? '' : ','}${activity(activities++)}`);
    bytes += piece.length;
    if (bytes > bytesMax) break;
    yield piece;
  }
  yield Buffer.from(']}');
}

async function post(address: string, bytes: number): Promise<{ status: number; ms: number; lastByteMs: number }> {
  const pieces = [...body(bytes)];
  const start = performance.now();
  let sentMs = start;
  function* sending() {
    yield* pieces;
    sentMs = performance.now();
  }
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'garmin-client-id': clientId, 'content-type': 'application/json' },
    body: ReadableStream.from(sending()),
    duplex: 'half',
  });
  await response.arrayBuffer();
  const end = performance.now();
  return { status: response.status, ms: end - start, lastByteMs: end - sentMs };
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) await sleep(100);
}
