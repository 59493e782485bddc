import { execFileSync, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePorts } from './free-ports.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** The version of the installed PgBouncer; null when there is none. */
export const poolerVersion =
  program === undefined ? null : (/\d+\.\d+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? null);

export interface Pooler {
  /** The address of the same database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of the database of `url`. `settings`: lines of its configuration. */
export async function startPooler(url: string, mode: 'session' | 'transaction', settings: readonly string[] = []): Promise<Pooler> {
  if (program === undefined) throw new Error('PgBouncer is not installed');
  const target = new URL(url);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pulsewire-pooler-'));
  chmodSync(folder, 0o755);
  const [port] = await freePorts(1);
  const name = target.pathname.slice(1);
  const password = decodeURIComponent(target.password);
  const user = decodeURIComponent(target.username);
  const users = path.join(folder, 'users.txt');
  writeFileSync(users, `"${user}" "${password}"\n`);
  const config = path.join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    [
      '[databases]',
      `${name} = host=${target.hostname} port=${target.port} dbname=${name} user=${user} password=${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      'default_pool_size = 30',
      ...settings,
      '',
    ].join('\n'),
  );
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}: ${output}`)));
  });
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.toString(),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null) {
        child.kill('SIGINT');
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
