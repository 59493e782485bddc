import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { systemClock } from '@pulsewire/kernel';
import { maintainAudit } from '@pulsewire/audit';
import { createApiKey, createTeam, createUser } from '@pulsewire/connections';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { withEvents } from '@pulsewire/eventlog';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { describeMachine } from '../report.ts';

/** Summaries in one read. */
export const summaries = 30;

/** A database with one team, and a key that reads a month of one user. */
export interface ReadBench extends AsyncDisposable {
  readonly database: Database;
  readonly url: string;
  readonly postmasterPid: number;
  readonly teamId: string;
  readonly key: string;
  readonly path: string;
}

/** Settings of the API. The limits are off; a benchmark of one switches it on. */
export const apiConfig = (databaseUrl: string) => ({
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

async function fill(database: Database): Promise<Pick<ReadBench, 'key' | 'path' | 'teamId'>> {
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

async function pidOf({ sql }: Database): Promise<number> {
  const [row] = await sql<{ folder: string }[]>`SELECT current_setting('data_directory') AS folder`;
  return Number(readFileSync(`${row?.folder}/postmaster.pid`, 'utf8').split('\n', 1)[0]);
}

export async function openReadBench(name: string): Promise<ReadBench> {
  const server = await startTestServer({ durable: true });
  const url = await createDatabase(server.adminUrl, name, server.template);
  const database = openDatabase({ url, connectionsMax: 4 });
  console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on`)}`);
  await maintainAudit(database, { today: new Date().toISOString().slice(0, 10), keepDays: 400 });
  return {
    database,
    url,
    postmasterPid: await pidOf(database),
    ...(await fill(database)),
    async [Symbol.asyncDispose]() {
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    },
  };
}
