import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noMetrics, silentLogger, systemClock, addDays } from '@pulsewire/kernel';
import { createApiKey, createTeam, readProviderSettings } from '@pulsewire/connections';
import { migrate, openDatabase, type Database } from '@pulsewire/database';
import { findEventProblem } from '@pulsewire/contract';
import { createReceiver, type Receiver } from '@pulsewire/sandbox';
import { connectors } from '@pulsewire/providers';
import { apiConfigFields, compose as composeApi, type Api } from '@pulsewire/service-api';
import { compose as composeDispatcher, dispatcherConfig, type DispatcherService } from '../../../services/dispatcher/src/index.ts';
import { compose as composeIngest, ingestConfig, type IngestService } from '@pulsewire/service-ingest';
import { compose as composeScheduler, schedulerConfig, type SchedulerService } from '@pulsewire/service-scheduler';
import { loadConfig } from '../../../packages/runtime/src/index.ts';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../support/database.ts';

const owner = useDatabase();
const role = `app_${randomBytes(6).toString('hex')}`;
const lines: string[] = [];
let url: string;
let restricted: Database;

const admin = (...words: string[]) =>
  runAdmin(words, { database: owner.current, clock: systemClock, print: (line: string) => void lines.push(line) } as never);

beforeAll(async () => {
  await owner.current.sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  const address = new URL(owner.url);
  [address.username, address.password] = [role, 'secret'];
  url = address.toString();
  restricted = openDatabase({ url, name: 'restricted', connectionsMax: 2 });
});
afterAll(async () => {
  await restricted?.close();
  await owner.current.sql.unsafe(`DROP OWNED BY ${role}`);
  await owner.current.sql.unsafe(`DROP ROLE ${role}`);
});

describe('a database role that may only read and write rows', () => {
  it('gets an error with the commands to run while it has no rights', async () => {
    await expect(migrate(restricted)).rejects.toMatchObject({
      code: 'role_not_granted',
      message: expect.stringContaining('database grant'),
    });
  });

  it('gets its rights from commands of the owner, which must be a different role', async () => {
    expect([await admin('migrate'), await admin('database', 'grant', role)]).toEqual([0, 0]);
    const [me] = await owner.current.sql<{ name: string }[]>`SELECT current_user AS name`;
    expect([await admin('database', 'grant', me?.name ?? ''), await admin('database', 'grant', 'nobody_at_all')]).toEqual([1, 1]);
  });

  it('can start when no migration is pending, and gets the command to run when one is', async () => {
    expect(await migrate(restricted)).toEqual([]);
    const [last] = await owner.current.sql<{ number: number; name: string; hash: string }[]>`
      DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations) RETURNING number, name, hash`;
    const refused = {
      code: 'migrations_pending',
      message: expect.stringContaining('npm run admin -- migrate'),
      details: { pending: [last?.name] },
    };
    await expect(migrate(restricted)).rejects.toMatchObject(refused);
    await owner.current.sql`INSERT INTO schema_migrations ${owner.current.sql(last ?? {})}`;
  });

  it.each([
    'CREATE TABLE mine (a int)',
    'ALTER TABLE users ADD COLUMN mine int',
    'DROP TABLE users',
    'TRUNCATE users',
    'CREATE SCHEMA mine',
    "SELECT make_daily_partition('users', '2026-01-01')",
    "DELETE FROM audit_entries WHERE day = '2026-01-01'",
    "UPDATE schema_migrations SET name = 'x'",
  ])('may not run: %s', async (statement) => {
    await expect(restricted.sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('functions that run with the rights of the owner', () => {
  it('use no temporary table of the caller in place of ours', async () => {
    const found = restricted.transaction(async (tx) => {
      await tx.sql.unsafe('CREATE TEMPORARY TABLE schema_migrations (name text, lowest int)');
      await tx.sql.unsafe("INSERT INTO pg_temp.schema_migrations VALUES ('x_sample_pieces', 1)");
      await tx.sql.unsafe('GRANT ALL ON pg_temp.schema_migrations TO PUBLIC');
      await tx.sql.unsafe('SELECT require_sample_pieces()');
      const [row] = await tx.sql.unsafe<{ lowest: number | null }[]>('SELECT lowest FROM pg_temp.schema_migrations');
      throw new Error(`lowest is ${row?.lowest}`);
    });
    await expect(found).rejects.toThrow('lowest is 1');
  });

  it('use no temporary view of the caller in place of the catalogue of Postgres', async () => {
    const made = restricted.transaction(async (tx) => {
      await tx.sql.unsafe(
        `CREATE TEMPORARY VIEW pg_class AS SELECT c.oid, c.relnamespace, 'p'::"char" AS relkind, c.relowner FROM pg_catalog.pg_class c`,
      );
      await tx.sql.unsafe('GRANT SELECT ON pg_temp.pg_class TO PUBLIC');
      await tx.sql.unsafe("SELECT make_daily_partition('users', '2026-01-01')");
    });
    await expect(made).rejects.toMatchObject({ code: '42501' });
  });
});

describe('all services with that role', () => {
  let api: Api;
  let ingest: IngestService;
  let dispatcher: DispatcherService;
  let scheduler: SchedulerService;
  let receiver: Receiver;
  let key: string;
  const stopping = new AbortController();
  const running: Promise<void>[] = [];

  beforeAll(async () => {
    const env = {
      DATABASE_URL: url,
      ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
      LINK_TOKEN_SECRET: 'a secret of more than thirty-two characters',
      PORT: '0',
      BASE_URL: 'http://127.0.0.1:1',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      PROVIDER_LOGO_BASE_URL: 'http://127.0.0.1:1/logos',
    };
    const parts = { providers: readProviderSettings(connectors, {}), logger: silentLogger, metrics: noMetrics };
    receiver = await createReceiver({ findProblem: findEventProblem });
    scheduler = await composeScheduler(loadConfig(schedulerConfig, env), parts);
    ingest = await composeIngest(loadConfig(ingestConfig, env), parts);
    dispatcher = await composeDispatcher(loadConfig(dispatcherConfig, env), parts);
    api = await composeApi(loadConfig(apiConfigFields, env), parts);
    running.push(dispatcher.run(stopping.signal), ingest.run(stopping.signal));
    const team = await createTeam(restricted, systemClock, { name: 'Team', isSandbox: true });
    ({ key } = await createApiKey(restricted, systemClock, { team, label: 'test' }));
  });
  afterAll(async () => {
    stopping.abort();
    await Promise.all(running);
    for (const service of [api, ingest, dispatcher, scheduler]) await service?.close();
    await receiver?.close();
  });

  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    const reply = await api.app.inject({ method, url: path, headers, ...(body && { payload: JSON.stringify(body) }) });
    return { status: reply.statusCode, body: reply.payload === '' ? null : reply.json() };
  };

  it('deliver events of changes through the API', async () => {
    const endpoint = await call('POST', '/v2/team/webhook', { url: new URL('/webhooks', receiver.url).toString() });
    expect([endpoint.status, endpoint.body]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
    const secret = await call('GET', `/v2/team/webhook/${endpoint.body.id}/secret`);
    receiver.setSecrets([secret.body.key]);
    const user = await call('POST', '/v2/user', { client_user_id: 'patient-1' });
    expect(user.status).toBe(200);
    const demo = await call('POST', '/v2/link/connect/demo', { user_id: user.body.user_id, provider: 'fitbit' });
    expect([demo.status, demo.body]).toEqual([200, expect.anything()]);
    await scheduler.runJob('extend_demos');
    await expect.poll(() => receiver.statistics().verified, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(receiver.statistics().firstProblem).toBeUndefined();
    await ingest.drain();
  });

  it('run every scheduled job, including those that create and drop daily partitions', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const old = addDays(today, -600).replaceAll('-', '');
    await owner.current.sql`SELECT make_daily_partition('audit_entries', ${addDays(today, -600)}::text::date)`;
    const { allJobs } = await import('../../../services/scheduler/src/jobs/all-jobs.ts');
    for (const { name } of allJobs) expect([name, await scheduler.runJob(name)]).toEqual([name, true]);
    const tables = await owner.current.sql<
      { name: string }[]
    >`SELECT relname AS name FROM pg_class WHERE relname LIKE 'audit_entries_2%' AND relkind = 'r'`;
    const names = tables.map(({ name }) => name);
    expect(names).toContain(`audit_entries_${addDays(today, 6).replaceAll('-', '')}`);
    expect(names).not.toContain(`audit_entries_${old}`);
  });
});
