import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const script = (file, about) => ({ about, args: (root, rest) => [join(root, file), ...rest] });

const commands = {
  start: script('services/standalone/src/main.ts', 'run all services in one process, with an embedded Postgres and a demo'),
  test: {
    about: 'run all tests, or those whose path contains an argument; --watch reruns them after changes',
    args: (root, rest) => {
      const mode = rest.includes('--watch') ? 'watch' : 'run';
      const config = join(root, 'test/vitest.config.ts');
      return [join(root, 'node_modules/vitest/vitest.mjs'), mode, '--config', config, ...rest.filter((argument) => argument !== '--watch')];
    },
  },
  check: script('packages/runtime/tools/check.ts', 'check types, lint, format, dead code, schemas and architecture'),
  build: script('packages/runtime/tools/build.ts', 'build all programs into one folder, dist, that runs without the repository'),
  release: script('packages/runtime/tools/release.ts', 'build what is published of a version: archives, bill of materials, checksums'),
  bench: script('test/bench/main.ts', 'run the benchmarks'),
  structure: script('test/architecture/report.ts', 'metrics of the code: crowded folders, import cycles, layer violations'),
  faults: script('test/fault/main.ts', 'kill processes (kill -9) under load for several minutes'),
  service: { about: 'run one service as a separate process: service -- <name>', args: serviceArgs },
  admin: script('services/standalone/src/admin.ts', 'manage teams, keys and credentials: admin -- <command>'),
  schemas: script('packages/runtime/tools/schemas.ts', 'regenerate schemas/'),
  docs: script('packages/docs/src/generate.ts', 'regenerate the pages of packages/docs/pages'),
  format: script('packages/runtime/tools/format.ts', 'format the sources, or the given paths'),
};

function serviceNames(root) {
  const folder = join(root, 'services');
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'src', 'main.ts')));
}

function serviceArgs(root, [name, ...rest]) {
  const names = serviceNames(root);
  // Check the name against the list before it becomes part of a path.
  if (!names.includes(name))
    return `${name === undefined ? 'Missing service name.' : `There is no service "${name}".`} One of: ${names.join(', ')}`;
  return [join(root, 'services', name, 'src', 'main.ts'), ...rest];
}

/** Human-readable list of the commands, one line each. */
export function describeCommands() {
  const lines = Object.entries(commands).map(([name, { about }]) => `  npm run ${name.padEnd(9)} ${about}`);
  return ['Commands:', ...lines].join('\n');
}

/** The arguments and environment for the pinned Node: `{ok, nodeArgs, env}`, or `{ok: false, problem}` with a human-readable problem. */
export function resolveCommand(root, args) {
  const [name, ...given] = args;
  // npm removes these dashes, but they remain when this program is called directly.
  const rest = given[0] === '--' ? given.slice(1) : given;
  if (name === undefined || !Object.hasOwn(commands, name)) {
    return { ok: false, problem: name === undefined ? 'Missing command.' : `There is no command "${name}".` };
  }
  const target = commands[name].args(root, rest);
  if (typeof target === 'string') return { ok: false, problem: target };
  // Compiled code is cached between starts, inside node_modules so that a fresh install also clears the cache.
  const env = process.env.NODE_COMPILE_CACHE === undefined ? { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') } : {};
  return { ok: true, nodeArgs: target, env };
}
