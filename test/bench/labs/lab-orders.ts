import { randomUUID } from 'node:crypto';
import { createCipher, openDatabase, type Database, type Executor, type Sql } from '@pulsewire/database';
import { systemClock } from '@pulsewire/kernel';
import { createPartnerDirectory, listOrders, loadLabData, readAreaInfo, readCenters, type LabsContext } from '@pulsewire/labs';
import { countCenters, findCenters } from '../../../packages/labs/src/areas/find-centers.ts';
import { cpuMs } from '../delivery/harness/usage.ts';
import { openReadBench } from '../reads/open-bench.ts';
import type { Benchmark, Line } from '../report.ts';
import { addCenters, addOrders, filtersOf } from './lab-data.ts';

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
      for (const [name, filter] of Object.entries(filtersOf(userId))) {
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
