import { randomUUID } from 'node:crypto';
import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { createAuditRecorder, maintainAudit, type AuditRecorder } from '@pulsewire/audit';
import { createApiKey, createTeam, createUser } from '@pulsewire/connections';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase, startTestServer } from '@pulsewire/database/testing';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { withEvents } from '@pulsewire/eventlog';
import { compose, type Api } from '@pulsewire/service-api';
import { Agent, request } from 'undici';
import { describeMachine, median, perSecond, type Benchmark, type Line } from './report.ts';

const name = 'bench_audit';
const concurrency = 16;
const summaries = 30;
const noAudit: AuditRecorder = { record: () => {}, recordNow: async () => {}, close: async () => {} };

const config = (databaseUrl: string) => ({
  host: '127.0.0.1',
  port: 0,
  databaseUrl,
  databaseConnectionsMax: 10,
  baseUrl: undefined,
  linkWebUrl: undefined,
  encryptionKeys: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  linkTokenSecret: 'a secret of more than thirty-two characters',
  linkTokenAloneAllowed: false,
  allowedNetworks: [],
  trustedProxies: [],
  logDays: 30,
  rateLimit: 0,
  sandboxUsersMax: 50,
  samplesPerPage: 10_000,
});

/** What the audit log costs a read: requests per second of the same API with and without it, in turns. */
export const auditBenchmark: Benchmark = {
  name: 'audit',
  async run({ isQuick }) {
    const server = await startTestServer({ durable: true });
    const url = await createDatabase(server.adminUrl, name, server.template);
    const database = openDatabase({ url, connectionsMax: 4 });
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
      await maintainAudit(database, { today: new Date().toISOString().slice(0, 10), keepDays: 400 });
      return await measure(database, url, isQuick ? { rounds: 4, roundMs: 1500 } : { rounds: 12, roundMs: 5000 });
    } finally {
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    }
  },
};

async function fill(database: Database): Promise<{ readonly key: string; readonly path: string; readonly teamId: string }> {
  const team = await createTeam(database, systemClock, { name: 'Bench', isSandbox: false });
  const { key } = await createApiKey(database, systemClock, { team, label: 'bench' });
  const clientUserId = randomUUID();
  const user = await createUser(database, team, { clientUserId }, { clock: systemClock, sandboxUsersMax: 50 });
  const days = Array.from({ length: summaries }, (_, index) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10));
  const records = days.map(
    (day) =>
      ({
        kind: 'summary',
        id: randomUUID(),
        resource: 'activity',
        source: { provider: 'fitbit', type: 'watch' },
        calendarDate: day,
        at: Date.parse(day),
        data: { date: day, steps: 1000 },
      }) as const,
  );
  const version = await drawVersion(database);
  const owner = { teamId: team.teamId, userId: user.userId, clientUserId };
  await withEvents(database, (tx, emit) => writeRecords(tx, emit, { owner, version, origin: 'live', records, sourceId: 3, traceId: null }));
  return { key, teamId: team.teamId, path: `/v2/summary/activity/${user.userId}?start_date=${days[0]}&end_date=${days.at(-1)}` };
}

async function countRequests(agent: Agent, url: string, key: string, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const { statusCode, body } = await request(url, { dispatcher: agent, headers: { 'x-service-api-key': key } });
        await body.dump();
        if (statusCode !== 200) throw new Error(`The read answered ${statusCode}`);
        done += 1;
      }
    }),
  );
  return done;
}

async function measure(
  database: Database,
  url: string,
  { rounds, roundMs }: { readonly rounds: number; readonly roundMs: number },
): Promise<readonly Line[]> {
  const { key, path, teamId } = await fill(database);
  const agent = new Agent({ connections: concurrency });
  const recorder = createAuditRecorder({ database, logger: silentLogger, metrics: noMetrics });
  const apis: Record<'with' | 'without', Api> = {
    with: await compose(config(url), { migrate: false, audit: recorder }),
    without: await compose(config(url), { migrate: false, audit: noAudit }),
  };
  const rates: Record<'with' | 'without', number[]> = { with: [], without: [] };
  const addresses = { with: (await apis.with.listen()).url, without: (await apis.without.listen()).url };
  let audited = 0;
  try {
    audited += await countRequests(agent, addresses.with + path, key, 1000);
    await countRequests(agent, addresses.without + path, key, 1000);
    for (let round = 0; round < rounds; round++) {
      // In turns, each first every other time: a machine that slows down slows both.
      for (const side of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const done = await countRequests(agent, addresses[side] + path, key, roundMs);
        if (side === 'with') audited += done;
        rates[side].push(done);
      }
    }
  } finally {
    await agent.close();
    await Promise.all([apis.with.close(), apis.without.close()]);
    await recorder.close();
  }
  const [row] = await database.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM audit_entries WHERE team_id = ${teamId}`;
  const ratio = median(rates.with.map((done, round) => done / (rates.without[round] as number)));
  return [
    {
      what: `reads of ${summaries} summaries with the audit log`,
      figure: perSecond(median(rates.with), roundMs),
      against: `without ${perSecond(median(rates.without), roundMs)}`,
      ratio,
      aim: 'at least 0.97',
    },
    {
      what: 'entries written',
      figure: String(row?.count ?? 0),
      against: `${audited} requests`,
      ratio: (row?.count ?? 0) / audited,
      aim: '1',
    },
  ];
}
