import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

// Settings of the registry, proxy, certificates and credentials are inherited from the calling npm. All other npm_* and pnpm_*
// variables (omit, workspace, ignore-scripts, dry-run, …) are removed: they apply to the calling script, and would change what
// is installed.
const kept =
  /^npm_config_(registry|cache|userconfig|globalconfig|proxy|https?_proxy|noproxy|ca|cafile|cert|key|strict_ssl|fetch_\w+|_?auth\w*|_password|username|@.*|\/\/.*)$/i;

const outputKept = 64 * 1024;

/** The environment for npx and pnpm: ours, without variables of the calling npm or of Node that would change what is installed. */
export function installerEnv(env) {
  const clean = {};
  for (const [name, value] of Object.entries(env)) {
    const isForeign = /^(npm|pnpm)_/i.test(name) && !kept.test(name);
    // With NODE_ENV=production, npm and pnpm omit development dependencies, and the pinned Node is one.
    if (!isForeign && name !== 'NODE_ENV' && name !== 'NODE_OPTIONS') clean[name] = value;
  }
  return clean;
}

function isWritable(folder) {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(current)) {
      try {
        accessSync(current, constants.W_OK | constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }
    if (current === dirname(current)) return false;
  }
}

/** npm and pnpm cache downloads in the home folder; if that is not writable (containers, services), they use .cache/home in this repository. */
function withHome(root, env, say) {
  if (isWritable(join(homedir(), '.npm')) && isWritable(join(homedir(), '.local', 'share'))) return env;
  const home = join(root, '.cache', 'home');
  mkdirSync(home, { recursive: true });
  say(`The home folder is not writable; downloads are stored in ${home}.`);
  const { XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME, XDG_CONFIG_HOME, npm_config_cache, ...rest } = env;
  return { ...rest, HOME: home, npm_config_cache: join(home, '.npm') };
}

/** The npx of the npm that started this process, else the one installed with this Node, else the one in PATH. */
function npxCommand() {
  const npm = process.env.npm_execpath;
  const candidates = [
    ...(npm !== undefined && basename(npm) === 'npm-cli.js' ? [join(dirname(npm), 'npx-cli.js')] : []),
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npx-cli.js'),
  ];
  const found = candidates.find((file) => existsSync(file));
  return found === undefined ? { binary: 'npx', args: [] } : { binary: process.execPath, args: [found] };
}

function explain(output, pins) {
  const text = output.trim();
  if (text.includes('ERR_PNPM_OUTDATED_LOCKFILE'))
    return `${text}\n\npnpm-lock.yaml is out of date; update it with\n  npx -y -p node@${pins.node} -p pnpm@${pins.pnpm} -c "pnpm install"\nand commit it.`;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT/.test(text))
    return `${text}\n\nThe package registry could not be reached. The first start needs it. Configure a proxy or another registry in npm's settings.`;
  if (/ENOSPC/.test(text))
    return `${text}\n\nThe disk is full. The dependencies take about 1.4 GB, with the downloads that npm and pnpm keep in the home folder.`;
  return text;
}

/**
 * Runs a program without showing its output, except for its last line every 15 s: minutes of silence look like a hang. Returns the last
 * part of the output. SIGINT and SIGTERM stop the program and this process.
 */
export function runQuietly(binary, args, { cwd, env, say, sayEveryMs = 15_000 }) {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const child = spawn(binary, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const progress = setInterval(() => {
      const lastLine = output.trim().split('\n').at(-1);
      say(
        `Still installing after ${Math.round((performance.now() - startedMs) / 1000)} s${lastLine ? `: ${lastLine.slice(0, 200)}` : ' …'}`,
      );
    }, sayEveryMs);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-outputKept);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const stop = (signal, number) => {
      child.kill(signal);
      process.exit(128 + number);
    };
    const settle = (result) => {
      clearInterval(progress);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(result);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.on('error', (error) =>
      settle({ code: 1, output: `${binary} could not be started (${error.code}). The first start needs npm, including npx.` }),
    );
    child.on('close', (code) => settle({ code: code ?? 1, output }));
  });
}

/** Installs exactly what the lock file lists, with the pinned pnpm on the pinned Node. Throws an Error with the installer's output. */
export async function runInstaller(root, pins, say) {
  const npx = npxCommand();
  const packages = ['-p', `node@${pins.node}`, '-p', `pnpm@${pins.pnpm}`];
  const args = [...npx.args, '-y', ...packages, '-c', 'pnpm install --frozen-lockfile --reporter=append-only'];
  say('Installing dependencies (about 1.4 GB; a minute or more the first time) …');
  const startedMs = performance.now();
  const { code, output } = await runQuietly(npx.binary, args, { cwd: root, env: withHome(root, installerEnv(process.env), say), say });
  if (code !== 0) throw new Error(`The dependencies could not be installed:\n\n${explain(output, pins)}`);
  say(`Dependencies installed in ${Math.round((performance.now() - startedMs) / 1000)} s.`);
}
