import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { noMetrics, silentLogger, sleep, systemClock } from '@pulsewire/kernel';
import {
  createApiKey,
  createTeam,
  openImport,
  putOAuthCredential,
  runImport,
  startQueuedHistory,
  maintainBulkOperations,
  updateTeam,
  type BulkContext,
  type Team,
} from '@pulsewire/connections';
import { createCipher, parseCipherKeys } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';
import { openHistories, openJobs, planDuePulls, planHistoricalPull, planImported, type Jobs } from '@pulsewire/ingest';
import { findConnector } from '@pulsewire/providers';
import { Child } from '../../fault/harness/child.ts';
import { program } from '../../support/programs/program.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
const count = 2_500;
let team: Team;
let jobs: Jobs;
let bulk: BulkContext;
let userIds: string[];

beforeAll(async () => {
  const { current } = database;
  await maintainLog(current, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
  team = await createTeam(current, systemClock, { name: 'bulk', isSandbox: false });
  await updateTeam(current, team.teamId, { bulkOperations: true });
  const cipher = createCipher(parseCipherKeys(encryptionKeys));
  const application = { clientId: 'id', clientSecret: 'secret', redirectUrlOverride: null };
  await putOAuthCredential(current, { cipher, clock: systemClock }, { teamId: team.teamId, provider: 'fitbit', ...application });
  jobs = await openJobs(current);
  bulk = {
    database: current,
    cipher,
    clock: systemClock,
    logger: silentLogger,
    metrics: noMetrics,
    connectorFor: findConnector,
    requestWork: (tx, operationId) => jobs.workBulk(tx, operationId),
  };
  userIds = Array.from({ length: count }, () => randomUUID());
  await current.sql`
    INSERT INTO users (user_id, team_id, client_user_id, created_at) SELECT u, ${team.teamId}::uuid, u::text, now() FROM unnest(${userIds}::uuid[]) u`;
  return () => jobs.close();
});

const rowsOf = async (operationId: string) => {
  const [row] = await database.current.sql<{ status: string; processed: number }[]>`
    SELECT status, processed FROM bulk_operations WHERE operation_id = ${operationId}`;
  return row;
};
const planning = () => ({ jobs, clock: systemClock, connectorFor: findConnector, random: Math.random });

it('an import whose worker is killed repeatedly resumes and emits one event per connection', { timeout: 120_000 }, async () => {
  const upload = await openImport(bulk, team.teamId, 'https://api.test/logos');
  const recipes = userIds.map((userId) => ({
    userId,
    accessToken: `access ${userId}`,
    refreshToken: `refresh ${userId}`,
    providerUserId: userId.slice(0, 8),
    expiresAt: null,
    scopes: null,
  }));
  for (let from = 0; from < count; from += 1000) await upload.add(recipes.slice(from, from + 1000));
  const { operationId } = await upload.finish('fitbit');

  const worker = new Child({
    name: 'importer',
    file: program('test/integration/bulk/importer.ts'),
    args: [database.url, encryptionKeys, operationId],
  });
  let done = 0;
  worker.start();
  for (let kills = 0; kills < 2; kills++) {
    while ((done = (await rowsOf(operationId))?.processed ?? 0) <= kills * 500) await sleep(5);
    await worker.crash();
  }
  await worker.stop();
  expect(done).toBeLessThan(count);
  expect(await rowsOf(operationId)).toMatchObject({ status: 'in_progress' });

  // The scheduler requests a worker for the stalled operation, and that worker continues it.
  await database.current.sql`UPDATE bulk_operations SET moved_at = now() - interval '1 minute' WHERE operation_id = ${operationId}`;
  expect((await maintainBulkOperations(bulk)).woken).toBe(1);
  const gate = { refresh: () => Promise.reject(new Error('No recipe has expired')) };
  const onImported: Parameters<typeof runImport>[0]['onImported'] = (tx, connections) => planImported(planning(), tx, connections);
  while ((await rowsOf(operationId))?.status === 'in_progress')
    await runImport({ ...bulk, gate, onImported }, operationId, new AbortController().signal);

  expect(await rowsOf(operationId)).toEqual({ status: 'success', processed: count });
  const [figures] = await database.current.sql`
    SELECT (SELECT count(*)::int FROM connections) AS connections, (SELECT count(*)::int FROM connection_tokens) AS tokens,
      (SELECT count(*)::int FROM log_events WHERE event_type = 'provider.connection.created') AS events,
      (SELECT count(DISTINCT user_id)::int FROM log_events WHERE event_type = 'provider.connection.created') AS users,
      (SELECT count(*)::int FROM bulk_turns) AS queued, (SELECT count(*)::int FROM pull_plans) AS plans,
      (SELECT count(*)::int FROM bulk_items WHERE access_token IS NOT NULL) AS kept`;
  expect({ ...figures }).toEqual({ connections: count, tokens: count, events: count, users: count, queued: count, plans: count, kept: 0 });
});

it('imported connections are polled immediately, and their queued history follows', { timeout: 60_000 }, async () => {
  const { current } = database;
  const [connection] = await current.sql<{ connection_id: string }[]>`SELECT connection_id FROM bulk_turns ORDER BY turn_id LIMIT 1`;
  const connectionId = connection?.connection_id ?? '';
  await current.sql`UPDATE pull_plans SET next_pull_at = now() + interval '1 day' WHERE connection_id <> ${connectionId}`;
  await current.sql`UPDATE pull_plans SET next_pull_at = now() - interval '1 minute' WHERE connection_id = ${connectionId}`;
  await planDuePulls({ ...planning(), database: current, logger: silentLogger });
  const lanes = () =>
    current.sql<{ lane: string }[]>`SELECT DISTINCT lane FROM pull_windows WHERE connection_id = ${connectionId} ORDER BY lane`;
  expect((await lanes()).map(({ lane }) => lane)).toEqual(['live']);
  const queueContext = {
    database: current,
    connectorFor: findConnector,
    clock: systemClock,
    logger: silentLogger,
    openHistories,
    startHistory: (tx: Parameters<typeof planHistoricalPull>[1], id: string) => planHistoricalPull(planning(), tx, id),
  };
  expect(await startQueuedHistory(queueContext, { limit: 3, signal: new AbortController().signal })).toBe(3);
  expect((await lanes()).map(({ lane }) => lane)).toEqual(['backfill', 'live']);
});

it('an upload whose server is killed is never imported, is deleted, and can be repeated', { timeout: 120_000 }, async () => {
  const { key } = await createApiKey(database.current, systemClock, { team, label: 'crash' });
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const env = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: encryptionKeys,
    LINK_TOKEN_SECRET: randomBytes(24).toString('hex'),
    HOST: '127.0.0.1',
    PORT: String(port),
    HEALTH_PORT: '0',
  };
  const server = new Child({ name: 'api', file: program('services/api/src/main.ts'), env });
  const url = `http://127.0.0.1:${port}`;
  const answering = async () => {
    while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) await sleep(100);
  };
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const recipe = (userId: string) =>
    JSON.stringify({ user_id: userId, access_token: 'a', refresh_token: 'r', provider_id: 'p', expires_at: 1 });
  const receiving = () => database.current.sql<{ operation_id: string }[]>`
    SELECT operation_id FROM bulk_operations WHERE status = 'receiving' AND operation_id IN (SELECT operation_id FROM bulk_items)`;
  const state: { end?: () => void } = {};
  const endless = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(`{"provider":"fitbit","connections":[${[...userIds, ...userIds].map(recipe).join(',')}`));
      state.end = () => controller.close();
    },
  });
  server.start();
  try {
    await answering();
    const sending = fetch(`${url}/v2/link/bulk_import`, { method: 'POST', headers, body: endless, duplex: 'half' }).catch(
      (error: unknown) => error,
    );
    while ((await receiving()).length === 0) await sleep(20);
    await server.crash();
    expect(await sending).toBeInstanceOf(Error);

    const [left] = await receiving();
    const list = async () => (await (await fetch(`${url}/v2/link/bulk_op`, { headers })).json()) as { data: unknown[] };
    await answering();
    const before = (await list()).data.length;
    await database.current
      .sql`UPDATE bulk_operations SET moved_at = now() - interval '1 hour' WHERE operation_id = ${left?.operation_id ?? ''}`;
    await maintainBulkOperations(bulk);
    expect(await receiving()).toEqual([]);
    const body = `{"provider":"fitbit","connections":[${userIds.slice(0, 10).map(recipe).join(',')}]}`;
    expect((await fetch(`${url}/v2/link/bulk_import`, { method: 'POST', headers, body })).status).toBe(202);
    expect((await list()).data).toHaveLength(before + 1);
  } finally {
    await server.stop();
  }
});
