import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePorts } from './free-ports.ts';

const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((file) => existsSync(file));
const shipped = path.join(import.meta.dirname, '../../deploy/proxy/nginx.conf');

/** Whether nginx and openssl, which makes its certificate, are installed. */
export const isNginxInstalled = program !== undefined && spawnSync('openssl', ['version']).status === 0;

export interface Proxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts nginx with the configuration in `deploy/proxy`, in front of servers on these ports, with a certificate of its own. */
export async function startNginx(ports: { readonly api: number; readonly console: number }): Promise<Proxy> {
  if (program === undefined) throw new Error('nginx is not installed');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pulsewire-nginx-'));
  chmodSync(folder, 0o755);
  const [port = 0] = await freePorts(1);
  const [certificate, key] = [path.join(folder, 'fullchain.pem'), path.join(folder, 'privkey.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const site = readFileSync(shipped, 'utf8')
    .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${ports.api};`)
    .replace('server 127.0.0.1:8081;', `server 127.0.0.1:${ports.console};`)
    .replace('server 127.0.0.1:8082;', `server 127.0.0.1:${ports.console};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll('/etc/ssl/pulsewire/', `${folder}/`);
  const config = path.join(folder, 'nginx.conf');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
  writeFileSync(config, `pid ${folder}/pid; error_log stderr; events {}\nhttp {\naccess_log off;\n${folders}\n${site}\n}\n`);
  const child = spawn(program, ['-e', 'stderr', '-p', folder, '-c', config, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // It writes its pid once it listens.
  while (!existsSync(path.join(folder, 'pid')) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
