import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { noMetrics, silentLogger, systemClock, type Logger } from '@pulsewire/kernel';
import { createApiKey, createTeam, updateTeam } from '@pulsewire/connections';
import { openDatabase } from '@pulsewire/database';
import { createDatabase, dropDatabase, startTestServer } from '@pulsewire/database/testing';
import { compose } from '@pulsewire/service-api';
import { createFakeProvider } from '../integration/connections/fake-provider.ts';

/** Ingest that has nothing to do: what is asked for here is the API. */
const ingest = {
  refresh: { plan: async () => [], read: async () => new Map() },
  fillDemo: async () => {},
  onConnected: async () => {},
  onDeregistered: async () => {},
  receivePush: async () => ({ status: 204, body: '' }),
  close: async () => {},
};

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4' },
    examples: { type: 'string', default: '100' },
    checks: { type: 'string', default: 'all' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '1800' },
    command: { type: 'string', default: 'schemathesis' },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), 'schemathesis-'));
const name = `schemathesis_${process.pid}`;
const server = await startTestServer();
const url = await createDatabase(server.adminUrl, name, server.template);
const database = openDatabase({ url, connectionsMax: 10 });
// A failure of ours is told with its cause: the answer says nothing of it.
const logger: Logger = { ...silentLogger, error: (fields, event) => console.error(event, fields), child: () => logger };

async function runSeed(seed: string): Promise<boolean> {
  const team = await createTeam(database, systemClock, { name: `Seed ${seed}`, isSandbox: false });
  await updateTeam(database, team.teamId, { bulkOperations: true });
  const { key } = await createApiKey(database, systemClock, { team, label: 'schemathesis' });
  const api = await compose(
    {
      host: '127.0.0.1',
      port: 0,
      databaseUrl: url,
      databaseConnectionsMax: 10,
      baseUrl: 'https://api.test',
      linkWebUrl: undefined,
      encryptionKeys: `1:${randomBytes(32).toString('base64')}`,
      linkTokenSecret: randomBytes(32).toString('hex'),
      linkTokenAloneAllowed: false,
      allowedNetworks: [],
      logDays: 30,
      trustedProxies: [],
      sandboxUsersMax: 50,
      samplesPerPage: 100,
      rateLimit: 0,
    },
    { database, clock: systemClock, logger, metrics: noMetrics, http: createFakeProvider(), ingest },
  );
  try {
    const { url: address } = await api.listen();
    const child = spawn(
      values.command,
      [
        'run',
        `${address}/openapi.json`,
        '--seed',
        seed,
        '--max-examples',
        values.examples,
        '--phases',
        values.phases,
        '--checks',
        values.checks,
        '--header',
        `x-service-api-key: ${key}`,
        '--continue-on-failure',
        '--no-color',
        '--max-time',
        values.seconds,
        ...(values.only === undefined ? [] : ['--include-path-regex', values.only]),
        '--generation-database=none',
      ],
      // It writes what it found into the folder where it runs.
      { stdio: ['ignore', 'inherit', 'inherit'], cwd: folder },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } finally {
    await api.close();
  }
}

try {
  for (const seed of values.seeds.split(',')) {
    console.log(`seed ${seed}`);
    if (!(await runSeed(seed))) process.exitCode = 1;
  }
} finally {
  await database.close();
  await dropDatabase(server.adminUrl, name);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
