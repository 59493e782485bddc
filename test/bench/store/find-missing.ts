import { randomUUID } from 'node:crypto';
import type { CompleteRange, SampleGroup } from '@pulsewire/contract';
import { openDatabase, type Database, type Sql, type Tx } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog, withEvents } from '@pulsewire/eventlog';
import { drawVersion, findMissing, maintainReceipts, writeRecords, type PresentRecord, type RecordOwner } from '@pulsewire/store';
import { describeMachine, median, type Benchmark, type Line } from '../report.ts';

const perDay = 17_280;
const dayMs = 86_400_000;
const baseMs = Date.UTC(2026, 0, 1);
const source = { provider: 'fitbit', type: 'watch' };

/** A day's heart rate, every five seconds. */
function heartOf(day: number): SampleGroup {
  const samples = Array.from({ length: perDay }, (_, index) => {
    return { ts: baseMs + day * dayMs + index * 5000, value: 50 + ((index * 31) % 120), timezoneOffset: 3600 };
  });
  return { kind: 'samples', resource: 'heartrate', source, samples };
}

/** Cost of finding values that a complete response lacks, compared with writing that response for the first time and again. */
export const findMissingBenchmark: Benchmark = {
  name: 'find-missing',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const lines: Line[] = [];
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
      const database = openDatabase({ url: await createDatabase(server.adminUrl, 'bench_missing', server.template), connectionsMax: 4 });
      try {
        const today = new Date().toISOString().slice(0, 10);
        await maintainLog(database, { today, keepDays: 30 });
        await maintainReceipts(database, { today, keepDays: 30 });
        // Warms up: compiles the code.
        await measure(database, 1, 1);
        for (const days of [1, 30]) lines.push(...(await measure(database, days, isQuick ? 1 : days > 1 ? 3 : 7)));
      } finally {
        await database.close();
        await dropDatabase(server.adminUrl, 'bench_missing');
      }
    } finally {
      await server.stop();
    }
    return lines;
  },
};

async function measure(database: Database, days: number, rounds: number): Promise<readonly Line[]> {
  const response = Array.from({ length: days }, (_, day) => heartOf(day));
  const toMs = baseMs + days * dayMs;
  const range: CompleteRange = { kind: 'samples', resource: 'heartrate', sourceTypes: [source.type], fromMs: baseMs, toMs };
  const fresh: number[] = [];
  const again: number[] = [];
  const same: number[] = [];
  const lacking: number[] = [];
  let statements = 0;
  for (let round = 0; round < rounds; round++) {
    const owner: RecordOwner = { teamId: randomUUID(), userId: randomUUID(), clientUserId: 'bench' };
    fresh.push(await timed(() => writeDays(database, owner, response)));
    await database.sql`ANALYZE samples`;
    again.push(await timed(() => writeDays(database, owner, response)));
    const find = async (records: readonly PresentRecord[]) => {
      const version = await drawVersion(database);
      return database.transaction(async (tx) => {
        const counted = countStatements(tx);
        const found = await findMissing(counted.tx, { owner, provider: source.provider, version, since: 0n, ranges: [range], records });
        statements = Math.max(statements, counted.count());
        return found.reduce((sum, removal) => sum + (removal.kind === 'sample_removal' ? removal.ts.length : 0), 0);
      });
    };
    const lacksOne = response.map((group, day) => (day === 0 ? { ...group, samples: group.samples.slice(1) } : group));
    same.push(await timed(async () => expectCount(await find(response), 0)));
    lacking.push(await timed(async () => expectCount(await find(lacksOne), 1)));
  }
  const what = `${days === 1 ? 'a day' : `${days} days`} of heart rate every five seconds (${(days * perDay).toLocaleString('en-US')} samples)`;
  const [written, rewritten] = [median(fresh), median(again)];
  const line = (which: string, ms: number, against: string, opponent: number): Line => ({
    what: `${what}, ${which}`,
    figure: `${ms.toFixed(1)} ms`,
    against: `${against} ${opponent.toFixed(1)} ms`,
    ratio: ms / opponent,
  });
  return [
    line('nothing missing', median(same), 'writing it', written),
    line('nothing missing', median(same), 'writing it once more', rewritten),
    line('one missing', median(lacking), 'writing it', written),
    { what: `${what}: statements at most`, figure: String(statements), aim: '2' },
  ];
}

function expectCount(found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`${found} found, not ${wanted}`);
}

/** A page for each day, as connectors return them. */
async function writeDays(database: Database, owner: RecordOwner, days: readonly SampleGroup[]): Promise<void> {
  for (const day of days) {
    const version = await drawVersion(database);
    const batch = { owner, version, origin: 'live', sourceId: 3, traceId: null, records: [day] } as const;
    await withEvents(database, (tx, emit) => writeRecords(tx, emit, batch));
  }
}

function countStatements(tx: Tx): { readonly tx: Tx; count(): number } {
  let count = 0;
  const apply = (target: Sql, self: unknown, args: unknown[]): unknown => {
    count++;
    return Reflect.apply(target, self, args) as unknown;
  };
  return { tx: { ...tx, sql: new Proxy(tx.sql, { apply }) }, count: () => count };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
