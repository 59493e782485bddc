import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDatabase } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../support/test-server.ts';
import { printReport, type SeedReport } from './report.ts';
import { startSubject } from './subject.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4' },
    examples: { type: 'string', default: '60' },
    checks: { type: 'string', default: 'all' },
    phases: { type: 'string', default: 'coverage,fuzzing,stateful' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '480' },
    command: { type: 'string', default: 'schemathesis' },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), 'schemathesis-'));
const name = `schemathesis_${process.pid}`;
const server = await startTestServer();
const url = await createDatabase(server.adminUrl, name, server.template);
const database = openDatabase({ url, connectionsMax: 10 });
const hooks = fileURLToPath(new URL('.', import.meta.url));

async function runSeed(seed: string): Promise<SeedReport> {
  const running = await startSubject(database, seed);
  const report = path.join(folder, `report-${seed}.json`);
  try {
    const child = spawn(
      'env',
      [
        `PYTHONPATH=${hooks}`,
        'PYTHONDONTWRITEBYTECODE=1',
        'SCHEMATHESIS_HOOKS=hooks',
        `SUBJECT=${JSON.stringify({ ...running.subject, seed, report })}`,
        values.command,
        'run',
        `${running.url}/openapi.json`,
        '--seed',
        seed,
        '--max-examples',
        values.examples,
        '--phases',
        values.phases,
        '--max-time',
        values.seconds,
        '--checks',
        values.checks,
        '--continue-on-failure',
        '--max-failures',
        '200',
        '--no-shrink',
        '--header',
        `x-service-api-key: ${running.subject.key}`,
        ...(values.only === undefined ? [] : ['--include-path-regex', values.only]),
        '--no-color',
        '--warnings',
        'off',
        '--generation-database=none',
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        // Schemathesis writes its findings into the working directory.
        cwd: folder,
      },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    const counted = JSON.parse(await readFile(report, 'utf8')) as Omit<SeedReport, 'seed' | 'isClean' | 'failures'>;
    return { seed, isClean: code === 0 && running.failures.length === 0, failures: running.failures, ...counted };
  } finally {
    await running.close();
  }
}

try {
  const reports: SeedReport[] = [];
  for (const seed of values.seeds.split(',')) reports.push(await runSeed(seed));
  printReport(reports);
  if (!reports.every(({ isClean }) => isClean)) process.exitCode = 1;
} finally {
  await database.close();
  await dropDatabase(server.adminUrl, name);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
