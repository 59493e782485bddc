import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const script = (file, about) => ({ about, args: (root, rest) => [join(root, file), ...rest] });

const commands = {
  start: script('services/standalone/src/main.ts', 'everything in one process, with its own Postgres and a demo'),
  test: {
    about: 'every test, or those whose path contains an argument; --watch repeats them after changes',
    args: (root, rest) => {
      const mode = rest.includes('--watch') ? 'watch' : 'run';
      const config = join(root, 'test/vitest.config.ts');
      return [join(root, 'node_modules/vitest/vitest.mjs'), mode, '--config', config, ...rest.filter((argument) => argument !== '--watch')];
    },
  },
  check: script('packages/runtime/tools/check.ts', 'types, lint, format, dead code, architecture'),
  build: script('packages/runtime/tools/build.ts', 'one bundle per service, in services/<name>/dist'),
  bench: script('test/bench/main.ts', 'the benchmarks'),
  structure: script('test/architecture/report.ts', 'figures of the code: full folders, import cycles, imports against the layers'),
  faults: script('test/fault/main.ts', 'minutes of kill -9 under load'),
  service: { about: 'one service as its own process: service -- <name>', args: serviceArgs },
  admin: script('services/standalone/src/admin.ts', 'teams, keys, credentials: admin -- <command>'),
  schemas: script('packages/runtime/tools/schemas.ts', 'writes schemas/ anew'),
  format: script('packages/runtime/tools/format.ts', 'formats the sources; arguments are paths'),
};

function serviceNames(root) {
  const folder = join(root, 'services');
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'src', 'main.ts')));
}

function serviceArgs(root, [name, ...rest]) {
  const names = serviceNames(root);
  // A name is looked up, never joined to a path first.
  if (!names.includes(name))
    return `${name === undefined ? 'Which service?' : `There is no service "${name}".`} One of: ${names.join(', ')}`;
  return [join(root, 'services', name, 'src', 'main.ts'), ...rest];
}

/** The commands with a line each, for a person. */
export function describeCommands() {
  const lines = Object.entries(commands).map(([name, { about }]) => `  npm run ${name.padEnd(9)} ${about}`);
  return ['Commands:', ...lines].join('\n');
}

/** What the pinned Node has to run for `args`: `{ok, nodeArgs, env}`, or `{ok: false, problem}` for a person. */
export function resolveCommand(root, args) {
  const [name, ...given] = args;
  // npm removes these dashes, but they remain when this program is called directly.
  const rest = given[0] === '--' ? given.slice(1) : given;
  if (name === undefined || !Object.hasOwn(commands, name)) {
    return { ok: false, problem: name === undefined ? 'Which command?' : `There is no command "${name}".` };
  }
  const target = commands[name].args(root, rest);
  if (typeof target === 'string') return { ok: false, problem: target };
  // Compiled code is kept between starts; inside node_modules, so that a fresh install starts fresh.
  const env = process.env.NODE_COMPILE_CACHE === undefined ? { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') } : {};
  return { ok: true, nodeArgs: target, env };
}
