import { randomUUID } from 'node:crypto';
import { createCipher, openDatabase, type Database, type Executor, type Sql } from '@pulsewire/database';
import { systemClock } from '@pulsewire/kernel';
import {
  createPartnerDirectory,
  listOrders,
  loadLabData,
  readAreaInfo,
  readCenters,
  type LabsContext,
  type OrderFilter,
} from '@pulsewire/labs';
import { countCenters, findCenters } from '../../../packages/labs/src/areas/find-centers.ts';
import { searchHashes } from '../../../packages/labs/src/orders/sealed/name-hashes.ts';
import { readTeamKey } from '../../../packages/labs/src/orders/sealed/team-key.ts';
import { cpuMs } from '../delivery/harness/usage.ts';
import { openReadBench } from '../reads/open-bench.ts';
import type { Benchmark, Line } from '../report.ts';

const rounds = 200;

interface Place {
  readonly zip: string;
  readonly lat: number;
  readonly lng: number;
}

/** Times of one call, ms: median and 99th percentile on the clock, and the mean CPU time of its server process and of this one. */
interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly serverCpu: number;
  readonly ownCpu: number;
}

/** Calls `work` once for each item. The only connection to the server has the given backend. */
async function timed<T>(items: readonly T[], backendPid: number, work: (item: T) => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  const [serverMs, own] = [cpuMs(backendPid), process.cpuUsage()];
  for (const item of items) {
    const start = performance.now();
    await work(item);
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(own);
  const serverCpu = (cpuMs(backendPid) - serverMs) / items.length;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), serverCpu, ownCpu: (user + system) / 1000 / items.length };
}

/** As `sql`, but a query is explained instead of returned: its execution time in the server, ms, goes to `times`. */
function explaining(sql: Sql, times: number[]): Sql {
  return new Proxy(sql, {
    apply(target, _self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) {
      const call = target as unknown as (...all: unknown[]) => Promise<readonly { readonly 'QUERY PLAN': string }[]>;
      if (!/^\s*(?:SELECT|WITH)/.test(strings[0] ?? '')) return call(strings, ...values);
      const first = Object.assign([`EXPLAIN (ANALYZE, TIMING OFF) ${strings[0]}`, ...strings.slice(1)], { raw: strings.raw });
      return call(first, ...values).then((rows) => {
        times.push(Number(/Execution Time: ([\d.]+)/.exec(rows.at(-1)?.['QUERY PLAN'] ?? '')?.[1]));
        return [];
      });
    },
  });
}

/** Times of the statements of `work` in the server. */
async function timedInServer<T>(database: Database, items: readonly T[], work: (executor: Executor, item: T) => Promise<unknown>) {
  const times: number[] = [];
  for (const item of items) await work({ ...database, sql: explaining(database.sql, times) }, item);
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

const line = (label: string, { p50, p99, serverCpu, ownCpu }: Times, aimMs: number): Line => ({
  what: label,
  figure: `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms; CPU ${serverCpu.toFixed(1)} ms of Postgres, ${ownCpu.toFixed(1)} ms here`,
  aim: `p99 ${aimMs} ms`,
});

/** 20,000 centers, divided among the labs and spread over the ZIP areas. */
async function addCenters({ sql }: Database): Promise<void> {
  await sql`DELETE FROM lab_service_centers`;
  await sql`
    INSERT INTO lab_service_centers (lab_id, site_code, name, first_line, city, state, zip_code, lat, lng, iana_timezone, capabilities, bill_types, is_active, origin)
    SELECT l.lab_id, z.zip_code, 'Center', '1 Main St', 'City', 'AZ', z.zip_code, z.lat, z.lng, z.iana_timezone,
      CASE WHEN z.n % 3 = 0 THEN ARRAY['stat'] ELSE '{}' END, l.bill_types, true, 'imported'
    FROM (SELECT a.*, row_number() OVER (ORDER BY md5(zip_code)) AS n FROM zip_areas a) z
    JOIN labs l ON l.has_service_centers
    WHERE z.n <= 5000`;
  await sql`ANALYZE lab_service_centers`;
}

const methods = ['walk_in_test', 'at_home_phlebotomy', 'testkit', 'on_site_collection'];

/** Orders of one team with five events each, inserted as rows. */
async function addOrders(context: LabsContext, teamId: string, count: number): Promise<string> {
  const { sql } = context.database;
  const [hash] = searchHashes(await readTeamKey(context.database, context, teamId), 'Hara');
  const [testId, userId, now] = [randomUUID(), randomUUID(), new Date().toISOString()];
  await sql`
    INSERT INTO lab_tests (lab_test_id, team_id, lab_id, slug, name, description, method, sample_type, status, price_minor, created_at, updated_at)
    VALUES (${testId}, ${teamId}, 27, 'test', 'Test', 'Test', 'walk_in_test', 'serum', 'active', 100, ${now}, ${now})`;
  await sql`
    CREATE TEMP TABLE made AS SELECT n, gen_random_uuid() AS order_id, gen_random_uuid() AS transaction_id,
      CASE WHEN n % 100 = 0 THEN ${userId}::uuid ELSE gen_random_uuid() END AS user_id,
      (${methods}::text[])[1 + n % 4] AS method FROM generate_series(1, ${count}::int) n`;
  await sql`INSERT INTO lab_order_transactions (transaction_id, team_id, user_id, created_at) SELECT transaction_id, ${teamId}, user_id, now() FROM made`;
  await sql`
    INSERT INTO lab_orders (order_id, team_id, user_id, transaction_id, origin, lab_id, lab_test_id, method, status, status_at, interpretation,
      billing_type, activate_by, name_hashes, created_at, updated_at)
    SELECT order_id, ${teamId}, user_id, transaction_id, 'initial', 27, ${testId}, method,
      CASE WHEN n % 3 = 0 THEN 'completed.' || method || '.completed' ELSE 'received.' || method || '.ordered' END, now(),
      CASE WHEN n % 50 = 0 THEN 'critical' WHEN n % 3 = 0 THEN 'normal' END, 'client_bill', CASE WHEN n % 20 = 0 THEN date '2099-01-01' END,
      ARRAY[n % 676, 10000 + n % 5000, CASE WHEN n % 20 = 0 THEN ${String(hash)}::bigint ELSE 0 END]::bigint[], now() - n * interval '1 minute', now() - n * interval '1 minute' FROM made`;
  await sql`
    INSERT INTO lab_order_events (order_id, status, created_at)
    SELECT order_id, 'received.' || method || '.ordered', now() FROM made, generate_series(1, 5)`;
  const orders = await sql<{ id: string }[]>`SELECT order_id AS id FROM made`;
  const secrets = { patient: { first_name: 'Ann', last_name: 'Hara', dob: '1990-01-01', gender: 'female' }, address: null, shipping: null };
  const rest = {
    physician: null,
    clinicalNotes: null,
    passthrough: null,
    icdCodes: null,
    answers: [],
    consents: [],
    creatorMemberId: null,
  };
  const text = JSON.stringify({ ...secrets, ...rest });
  for (let at = 0; at < orders.length; at += 5000) {
    const rows = orders
      .slice(at, at + 5000)
      .map(({ id }) => ({ order_id: id, details: context.cipher.seal(text, `lab_order_details:${id}`) }));
    await sql`INSERT INTO lab_order_details ${sql(rows)}`;
  }
  // A few users are deleted and not erased yet.
  await sql`
    INSERT INTO users (user_id, team_id, client_user_id, created_at)
    SELECT user_id, ${teamId}, user_id::text, now() FROM made GROUP BY user_id`;
  await sql`UPDATE users SET deleted_at = now() WHERE team_id = ${teamId} AND user_id <> ${userId} AND abs(hashtext(user_id::text)) % 200 = 0`;
  await sql`DROP TABLE made`;
  for (const table of ['lab_orders', 'lab_order_events', 'lab_order_details', 'lab_order_transactions', 'users'])
    await sql`VACUUM (ANALYZE) ${sql(table)}`;
  return userId;
}

/** Areas, centers and pages of orders: times measured in the process, including the database. */
export const labsBenchmark: Benchmark = {
  name: 'labs',
  async run({ isQuick }) {
    await using bench = await openReadBench('bench_labs');
    const database = openDatabase({ url: bench.url, name: 'bench', connectionsMax: 1 });
    try {
      await loadLabData(database, systemClock);
      await addCenters(database);
      const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
      const owners = {
        findUser: () => Promise.reject(new Error('unused')),
        lockUser: () => Promise.reject(new Error('unused')),
        findTeam: async () => null,
      };
      const partners = createPartnerDirectory([], { clock: systemClock });
      const context: LabsContext = { database, cipher, clock: systemClock, owners, partners };
      const teamId = randomUUID();
      const userId = await addOrders(context, teamId, isQuick ? 10_000 : 100_000);
      const labs = await database.sql<{ id: number }[]>`SELECT lab_id AS id FROM labs WHERE has_service_centers`;
      const labIds = labs.map(({ id }) => id);
      const zips = await database.sql<
        Place[]
      >`SELECT zip_code AS zip, lat, lng FROM zip_areas ORDER BY md5(zip_code || 'x') LIMIT ${rounds}`;
      const [backend] = await database.sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      const pid = backend?.pid ?? 0;
      const lines: Line[] = [];
      for (const miles of [25, 100]) {
        const near = ({ zip }: { zip: string }) => readCenters(database, { zipCode: zip, labId: 27, miles, capabilities: [] });
        await timed(zips.slice(0, 20), pid, near);
        lines.push({ what: `centers within ${miles} miles, in the process`, figure: line('', await timed(zips, pid, near), 5).figure });
        const search = (executor: Executor, { lat, lng }: Place) => findCenters(executor, 27, { lat, lng, miles }, []);
        lines.push({
          what: `centers within ${miles} miles, in Postgres`,
          figure: await timedInServer(database, zips, search),
          aim: 'p99 5 ms',
        });
        const area = ({ zip }: { zip: string }) => readAreaInfo(database, { zipCode: zip, miles, labSlugs: [], labId: null });
        await timed(zips.slice(0, 20), pid, area);
        lines.push(line(`area info, ${miles} miles, in the process`, await timed(zips, pid, area), 10));
        const count = (executor: Executor, { lat, lng }: Place) => countCenters(executor, labIds, { lat, lng, miles });
        lines.push({ what: `centers counted, ${miles} miles, in Postgres`, figure: await timedInServer(database, zips, count) });
      }
      const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
      const filters: Record<string, OrderFilter> = {
        'no filter': {},
        status: { statuses: ['completed'] },
        kind: { methods: ['testkit'] },
        'kind and dates': { methods: ['testkit'], from: day(60), to: day(10) },
        'status and kind': { statuses: ['ordered'], methods: ['testkit'] },
        critical: { isCritical: true },
        'not critical': { isCritical: false },
        user: { userId },
        dates: { from: day(30), to: day(10) },
        updated: { updatedFrom: day(20) },
        scheduled: { activation: ['scheduled'] },
        current: { activation: ['current'] },
        'by status': { orderKey: 'last_status' },
        'oldest first': { direction: 'asc' },
        'patient name': { patientName: 'Hara' },
      };
      for (const [name, filter] of Object.entries(filters)) {
        for (const page of ['no filter', 'not critical', 'by status'].includes(name) ? [1, 1000] : [1]) {
          const read = () => listOrders(context, teamId, filter, { page, size: 50 });
          await timed(Array.from({ length: 10 }), pid, read);
          lines.push(line(`orders: ${name}, page ${page}`, await timed(Array.from({ length: 60 }), pid, read), 20));
        }
      }
      return lines;
    } finally {
      await database.close();
    }
  },
};
