import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesUnder, read, root } from './sources/workspace.ts';

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly image: string; readonly command?: readonly string[]; readonly environment?: object }>
  >;
}

const known = new Set([...read('deploy/CONFIGURATION.md').matchAll(/^- `([A-Z][A-Z0-9_]+)`/gm)].map(([, name]) => name));
/** Of Node, Postgres and Kafka; `MIGRATE_URL` is an entry of a Secret. */
const foreign =
  /^(?:NODE_ENV|NODE_COMPILE_CACHE|POSTGRES_\w+|KAFKA_(?:NODE_ID|PROCESS_ROLES|\w*LISTENER\w*|CONTROLLER_\w+|OFFSETS_\w+|LOG_DIRS)|MIGRATE_URL)$/;
const unknownOf = (names: Iterable<string>) => [...new Set(names)].filter((name) => !known.has(name) && !foreign.test(name));

const services = readdirSync(path.join(root, 'services')).filter(
  (name) => name !== 'standalone' && existsSync(path.join(root, 'services', name, 'src/main.ts')),
);
const compose = parse(read('deploy/compose/compose.yaml'), { merge: true }) as Compose;
const own = Object.entries(compose.services).filter(([, { image }]) => image.includes('PULSEWIRE_IMAGE'));
const chart = 'deploy/helm/pulsewire';
const values = parse(read(`${chart}/values.yaml`)) as {
  readonly settings: object;
  readonly processes: Readonly<Record<string, { readonly settings: object }>>;
};

it('every service can be run with compose and with the chart', () => {
  const composed = own.map(([, { command = [] }]) => command[0]).filter((name) => name !== 'admin');
  expect(new Set(composed)).toEqual(new Set(services));
  expect(new Set(Object.keys(values.processes))).toEqual(new Set(services));
});

it('the files for deployments set only variables that a process reads', () => {
  expect(unknownOf(own.flatMap(([, { environment = {} }]) => Object.keys(environment)))).toEqual([]);
  expect(unknownOf([...read('deploy/compose/example.env').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name))).toEqual([
    // Read by compose itself.
    'COMPOSE_PROFILES',
  ]);
  expect(unknownOf([values.settings, ...Object.values(values.processes).map(({ settings }) => settings)].flatMap(Object.keys))).toEqual([]);
  const templates = filesUnder(`${chart}/templates`, ['.yaml', '.tpl', '.txt']).map(read).join('\n');
  expect(unknownOf([...templates.matchAll(/"([A-Z][A-Z0-9]*_[A-Z0-9_]+)"/g)].map(([, name = '']) => name))).toEqual([]);
  const units = filesUnder('deploy/systemd', ['.service']).map(read).join('\n');
  expect(
    unknownOf(
      [...units.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) =>
        [...list.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name),
      ),
    ),
  ).toEqual([]);
  const image = read('deploy/image/Dockerfile');
  expect(unknownOf([...image.matchAll(/^(?:ENV)? +([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name))).toEqual([]);
});

it('supervisors wait longer than a process may take to stop', () => {
  const ofSetting = (name: string) =>
    Math.max(
      ...[...read('deploy/CONFIGURATION.md').matchAll(new RegExp(`\`${name}\`, default \`(\\d+)\``, 'g'))].map(([, ms]) => Number(ms)),
    );
  const seconds = (ofSetting('DRAIN_DELAY_MS') + ofSetting('SHUTDOWN_GRACE_MS')) / 1000;
  const waits = [
    /stop_grace_period: (\d+)s/.exec(read('deploy/compose/compose.yaml')),
    /TimeoutStopSec=(\d+)/.exec(read('deploy/systemd/pulsewire@.service')),
    /terminationGracePeriodSeconds: (\d+)/.exec(read(`${chart}/templates/deployments.yaml`)),
  ].map((found) => Number(found?.[1]));
  for (const wait of waits) expect(wait).toBeGreaterThan(seconds);
});

it('the unit of systemd does not repeat a start that an operator must mend', () => {
  const codes = [...read('packages/runtime/src/process/exit-codes.ts').matchAll(/: (\d+),$/gm)].map(([, code]) => code);
  const [, prevented = ''] = /RestartPreventExitStatus=(.*)/.exec(read('deploy/systemd/pulsewire@.service')) ?? [];
  expect(prevented.split(' ')).toEqual([...new Set(codes)]);
});

it('the chart has the version of the release', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});
