import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sleep } from '@pulsewire/kernel';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { freePorts } from '../../support/free-ports.ts';
import { processEnv } from '../../support/process-env.ts';
import { startTestServer } from '../../support/test-server.ts';
import { untilReady } from '../ingest/phone-load.ts';
import { describeMachine, type Benchmark, type Line } from '../report.ts';

const roles = ['api', 'ingest', 'dispatcher', 'scheduler'] as const;
const build = path.join(import.meta.dirname, '../../../packages/runtime/tools/build.ts');
const name = 'bench_idle_memory';

interface Memory {
  readonly residentMiB: number;
  /** Without the pages of files, such as the program of Node, which all processes of a machine share. */
  readonly ownMiB: number;
}

function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { residentMiB: of('VmRSS'), ownMiB: of('RssAnon') };
}

/** Memory of each role as released, with an empty database and nothing to do. Node without a program is what no role can be below. */
export const idleMemoryBenchmark: Benchmark = {
  name: 'idle-memory',
  async run({ isQuick }) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pulsewire-idle-'));
    // The build puts source maps beside it.
    const dist = path.join(folder, 'dist');
    const server = await startTestServer();
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}`)}`);
      const built = spawnSync(process.execPath, [build, '--out', dist], { encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stderr);
      const url = await createDatabase(server.adminUrl, name, server.template);
      const idleMs = isQuick ? 15_000 : 60_000;
      const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
      const lines: Line[] = [
        lineOf('Node without a program', await measure(['-e', 'setInterval(() => {}, 1000)'], {}, isQuick ? 2000 : idleMs)),
      ];
      for (const role of roles) {
        const [port = 0, healthPort = 0] = await freePorts(2);
        const env = {
          DATABASE_URL: url,
          ENCRYPTION_KEYS: encryptionKeys,
          LOG_LEVEL: 'warn',
          HEALTH_PORT: String(healthPort),
          ...(role === 'api' && { LINK_TOKEN_SECRET: randomBytes(24).toString('hex'), PORT: String(port) }),
        };
        const ready = () => untilReady(`http://127.0.0.1:${healthPort}`);
        const program = [path.join(dist, `${role}.js`)];
        lines.push(lineOf(role, await measure(program, env, idleMs, ready)));
        if (role !== 'scheduler')
          lines.push(lineOf(`${role}'s parent, with two workers`, await measure(program, { ...env, WORKERS: '2' }, idleMs, ready)));
      }
      await dropDatabase(server.adminUrl, name);
      return lines;
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const lineOf = (what: string, { residentMiB, ownMiB }: Memory): Line => ({
  what: `memory of ${what}, idle`,
  figure: `${residentMiB} MiB, of which ${ownMiB} are its own`,
  ...(roles.some((role) => role === what) && { aim: '<= 120 MiB' }),
});

async function measure(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  idleMs: number,
  ready: () => Promise<void> = async () => {},
): Promise<Memory> {
  const child = spawn(process.execPath, [...args], { env: { ...processEnv, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    await ready();
    await sleep(idleMs);
    return memoryOf(child.pid ?? 0);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
